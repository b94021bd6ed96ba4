//! A list of templates from anywhere, and a scan that is told to ignore them.

use lookalike::templates::TemplateList;
use lookalike::{ChunksOptions, Input, Resources, Scanner};
use crate::{check_terminal, folder};
use lookalike_report::{Form, Source};
use std::fs;

pub(crate) fn fuzz(bytes: &[u8]) {
    let path = folder().join("templates.json");
    fs::write(&path, bytes).expect("the folder is ours");
    let Ok(list) = TemplateList::read(&path, true) else { return };
    // what was understood is understood again
    list.write(&path).expect("the folder is ours");
    assert_eq!(TemplateList::read(&path, true).expect("just written"), list);
    for template in &list.templates {
        assert_eq!(list.get(&template.name), Some(template));
        let mut others = list.clone();
        assert!(others.unmark(&template.name) && others.get(&template.name).is_none());
    }
    // if it is of another recipe it is refused
    let texts = ["the same and more ".repeat(90), "the same and more ".repeat(80), "something else ".repeat(90)];
    let options = ChunksOptions { templates: list, ..ChunksOptions::default() };
    let resources = Resources { memory: 64 << 20, threads: 1, tmp: None };
    let Ok(scan) = Scanner::new(options).resources(resources).run(vec![Input::texts(texts)]) else { return };
    let mut shown = Vec::new();
    let form = Form::named("terminal").expect("a form that there is");
    form.renderer.render(&Source::new(scan.report()), &mut shown).expect("a Vec takes anything");
    check_terminal(&shown);
}
