//! PDF: the text that its pages show, in the order they show it. An invisible layer of text, as programs that recognise
//! text put it over a scan, counts.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use hayro_font::hayro_cmap::{self, BfString};
use hayro_font::kurbo::{Affine, Point, Vec2};
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::{Dict, Name, Number, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::Resources;
use hayro_syntax::{LoadPdfError, Pdf};
use lookalike_extract::ExtractError;

use super::bounded_text::BoundedText;
use super::damaged;
use super::layout::{GlyphPlace, Layout};

/// Forms in forms are drawn so deep: real ones are two or three.
const MAX_DEPTH: usize = 12;
/// Instructions that a document may have, for each of its bytes and beside that. Forms that draw forms could make more.
const MAX_INSTRUCTIONS_PER_BYTE: u64 = 64;
const FREE_INSTRUCTIONS: u64 = 1 << 18;

/// The text of a glyph whose letter is not known.
const UNKNOWN: &str = "\u{FFFD}";

pub(super) fn read(bytes: &[u8], out: &mut BoundedText) -> Result<(), ExtractError> {
    let format = out.format();
    let pdf = Pdf::new(Arc::new(bytes.to_vec())).map_err(|error| match error {
        LoadPdfError::Decryption(_) => ExtractError::Encrypted { format },
        LoadPdfError::Invalid => damaged(format, &"its parts cannot be found"),
    })?;
    let mut reader = Reader {
        fonts: FontCache::new(),
        loaded: HashMap::new(),
        font_resolver: Arc::new(|query| match query {
            FontQuery::Standard(font) => Some(font.get_font_data()),
            FontQuery::Fallback(font) => Some(font.pick_standard_font().get_font_data()),
        }),
        cmap_resolver: Arc::new(hayro_cmap::load_embedded),
        instructions: (bytes.len() as u64).saturating_mul(MAX_INSTRUCTIONS_PER_BYTE).saturating_add(FREE_INSTRUCTIONS),
        layout: Layout::default(),
        glyphs: 0,
        unknown: 0,
        out,
    };
    let pages = pdf.pages();
    for page in pages.iter() {
        reader.content(page.typed_operations(), page.resources(), Affine::IDENTITY, 0)?;
        reader.layout.separate(reader.out);
    }
    if reader.glyphs == 0 && !pages.is_empty() {
        return Err(ExtractError::OnlyImages { format, pages: pages.len() });
    }
    // music is mostly signs without names, and has words
    if reader.unknown > reader.glyphs / 10 * 9 {
        return Err(ExtractError::UnknownLetters { format });
    }
    Ok(())
}

/// Reads content streams one after the other.
struct Reader<'p, 'o> {
    fonts: FontCache<'p>,
    loaded: HashMap<ObjectIdentifier, Rc<LoadedFont<'p>>>,
    font_resolver: FontResolverFn,
    cmap_resolver: CMapResolverFn,
    /// The number of instructions that may follow.
    instructions: u64,
    layout: Layout,
    glyphs: usize,
    /// The number of them whose letter is not known.
    unknown: usize,
    out: &'o mut BoundedText,
}

/// A font, with what its codes mean as far as they were met.
struct LoadedFont<'p> {
    font: Font<'p>,
    codes: RefCell<HashMap<u32, Rc<Code>>>,
}

struct Code {
    text: Box<str>,
    advance: Vec2,
}

impl LoadedFont<'_> {
    /// The meaning of a code of `length` bytes. Where a font does not define it, letters of ASCII mean themselves, as in
    /// other readers.
    fn code(&self, code: u32, length: usize) -> Rc<Code> {
        let read = || {
            let unicode = match self.font.glyph(self.font.map_code(code), code) {
                FontGlyph::Outline(glyph) => glyph.as_unicode(),
                FontGlyph::Type3(glyph) => glyph.as_unicode(),
            };
            let text = match unicode {
                Some(BfString::Char(character)) => character.to_string(),
                Some(BfString::String(text)) => text,
                None if length == 1 && (0x20..0x7F).contains(&code) => char::from(code as u8).to_string(),
                None => UNKNOWN.to_owned(),
            };
            Rc::new(Code { text: text.into(), advance: self.font.code_advance(code) })
        };
        Rc::clone(self.codes.borrow_mut().entry(code).or_insert_with(read))
    }
}

/// The state with which text is drawn.
#[derive(Clone)]
struct State<'p> {
    transform: Affine,
    font: Option<Rc<LoadedFont<'p>>>,
    size: f64,
    char_space: f64,
    word_space: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    matrix: Affine,
    line: Affine,
}

impl State<'_> {
    fn new(transform: Affine) -> Self {
        Self {
            transform,
            font: None,
            size: 0.0,
            char_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            matrix: Affine::IDENTITY,
            line: Affine::IDENTITY,
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line *= Affine::translate((x, y));
        self.matrix = self.line;
    }

    fn advance(&mut self, x: f64, y: f64) {
        self.matrix *= Affine::translate((x, y));
    }
}

impl<'p> Reader<'p, '_> {
    fn content(
        &mut self,
        mut instructions: TypedIter<'_>,
        resources: &Resources<'p>,
        transform: Affine,
        depth: usize,
    ) -> Result<(), ExtractError> {
        let (mut state, mut saved) = (State::new(transform), Vec::new());
        while let Some(instruction) = instructions.next() {
            self.instructions = self.instructions.checked_sub(1).ok_or_else(|| self.tangled())?;
            match instruction {
                // a page that saves without end is not followed
                TypedInstruction::SaveState(_) if saved.len() < 1024 => saved.push(state.clone()),
                TypedInstruction::RestoreState(_) => state = saved.pop().unwrap_or(state),
                TypedInstruction::Transform(m) => state.transform *= affine([m.0, m.1, m.2, m.3, m.4, m.5]),
                TypedInstruction::BeginText(_) => (state.matrix, state.line) = Default::default(),
                TypedInstruction::TextFont(font) => {
                    state.font = self.font(resources, font.0);
                    state.size = font.1.as_f64();
                }
                TypedInstruction::CharacterSpacing(space) => state.char_space = space.0.as_f64(),
                TypedInstruction::WordSpacing(space) => state.word_space = space.0.as_f64(),
                TypedInstruction::HorizontalScaling(percent) => state.stretch = percent.0.as_f64() / 100.0,
                TypedInstruction::TextLeading(leading) => state.leading = leading.0.as_f64(),
                TypedInstruction::TextRise(rise) => state.rise = rise.0.as_f64(),
                TypedInstruction::NextLine(by) => state.next_line(by.0.as_f64(), by.1.as_f64()),
                TypedInstruction::NextLineAndSetLeading(by) => {
                    state.leading = -by.1.as_f64();
                    state.next_line(by.0.as_f64(), by.1.as_f64());
                }
                TypedInstruction::NextLineUsingLeading(_) => state.next_line(0.0, -state.leading),
                TypedInstruction::SetTextMatrix(m) => {
                    state.line = affine([m.0, m.1, m.2, m.3, m.4, m.5]);
                    state.matrix = state.line;
                }
                TypedInstruction::ShowText(text) => self.show(text.0.as_bytes(), &mut state)?,
                TypedInstruction::NextLineAndShowText(text) => {
                    state.next_line(0.0, -state.leading);
                    self.show(text.0.as_bytes(), &mut state)?;
                }
                TypedInstruction::ShowTextWithParameters(text) => {
                    (state.word_space, state.char_space) = (text.0.as_f64(), text.1.as_f64());
                    state.next_line(0.0, -state.leading);
                    self.show(text.2.as_bytes(), &mut state)?;
                }
                TypedInstruction::ShowTexts(texts) => {
                    for object in texts.0.iter::<Object<'_>>() {
                        match object {
                            Object::Number(back) => {
                                let by = -back.as_f64() / 1000.0 * state.size;
                                let is_vertical = state.font.as_ref().is_some_and(|font| !font.font.is_horizontal());
                                let (x, y) = if is_vertical { (0.0, by) } else { (by * state.stretch, 0.0) };
                                state.advance(x, y);
                            }
                            Object::String(text) => self.show(text.as_bytes(), &mut state)?,
                            _ => {}
                        }
                    }
                }
                TypedInstruction::XObject(name) if depth < MAX_DEPTH => {
                    if let Some(form) = resources.get_x_object(name.0) {
                        self.form(&form, resources, state.transform, depth + 1)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A form is content that pages share. Images are none.
    fn form(
        &mut self,
        form: &Stream<'p>,
        outer: &Resources<'p>,
        transform: Affine,
        depth: usize,
    ) -> Result<(), ExtractError> {
        let dict = form.dict();
        if dict.get::<Name<'_>>(b"Subtype").is_none_or(|kind| kind.as_str() != "Form") {
            return Ok(());
        }
        let Ok(content) = form.decoded_data() else { return Ok(()) };
        let matrix = dict.get::<[f64; 6]>(b"Matrix").map_or(Affine::IDENTITY, Affine::new);
        let own = dict.get::<Dict<'_>>(b"Resources").map(Resources::new);
        self.content(TypedIter::new(&content), own.as_ref().unwrap_or(outer), transform * matrix, depth)
    }

    fn font(&mut self, resources: &Resources<'p>, name: &Name<'_>) -> Option<Rc<LoadedFont<'p>>> {
        let dict = resources.get_font(name)?;
        let id = dict.obj_id();
        if let Some(font) = id.and_then(|id| self.loaded.get(&id)) {
            return Some(Rc::clone(font));
        }
        let font = self.fonts.font(&dict, &self.font_resolver, &self.cmap_resolver)?;
        let font = Rc::new(LoadedFont { font, codes: RefCell::default() });
        if let Some(id) = id {
            self.loaded.insert(id, Rc::clone(&font));
        }
        Some(font)
    }

    fn show(&mut self, bytes: &[u8], state: &mut State<'p>) -> Result<(), ExtractError> {
        let Some(font) = state.font.clone() else { return Ok(()) };
        let mut at = 0;
        while at < bytes.len() {
            let (code, length) = font.font.read_code(bytes, at);
            let length = length.max(1);
            at += length;
            let glyph = font.code(code, length);
            let space = state.char_space + if code == 32 && length == 1 { state.word_space } else { 0.0 };
            let (width, height) = (glyph.advance.x / 1000.0 * state.size, glyph.advance.y / 1000.0 * state.size);
            let transform = state.transform * state.matrix;
            let place = |x: f64, y: f64| {
                let Point { x, y } = transform * Point::new(x, y + state.rise);
                (x, y)
            };
            let [_, _, c, d, _, _] = transform.as_coeffs();
            let place = GlyphPlace {
                start: place(0.0, 0.0),
                end: place(width * state.stretch, height),
                size: state.size.abs() * c.hypot(d),
            };
            self.layout.glyph(&glyph.text, place, self.out)?;
            self.glyphs += 1;
            self.unknown += usize::from(&*glyph.text == UNKNOWN);
            if font.font.is_horizontal() {
                state.advance((width + space) * state.stretch, 0.0);
            } else {
                state.advance(0.0, height + space);
            }
        }
        Ok(())
    }

    fn tangled(&self) -> ExtractError {
        damaged(self.out.format(), &"it draws the same things again and again, more than any document would")
    }
}

fn affine(numbers: [Number; 6]) -> Affine {
    Affine::new(numbers.map(|number| number.as_f64()))
}
