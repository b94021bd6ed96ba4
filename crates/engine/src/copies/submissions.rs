//! stub
pub(crate) struct Created {
    pub(crate) text: String,
    pub(crate) seconds: Option<i64>,
}
pub(crate) struct Who {
    pub(crate) name: String,
    pub(crate) owner: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) created_at: Option<Created>,
    pub(crate) full_name: Option<String>,
}
#[derive(Default)]
pub(crate) struct Grouping {}
impl Grouping {
    pub(crate) fn submission_of(&self, id: &str) -> (String, String) {
        (id.to_owned(), id.to_owned())
    }
    pub(crate) fn who(&self, name: &str) -> Who {
        Who { name: name.to_owned(), owner: None, label: None, created_at: None, full_name: None }
    }
}
