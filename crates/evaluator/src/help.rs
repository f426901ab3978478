//! `\h name` and `help`: the reference at the console.
//!
//! The texts are the crate `reference`'s.

use values::{K, Result, Signal};

use crate::Evaluator;
use crate::library::Native;

pub(crate) const NATIVE: Native = Native {
    name: "help",
    valence: 1,
    run: |evaluator, x| evaluator.help(&x[0]),
};

impl Evaluator {
    /// `\h argument`: prints the entry of a name, or the overview when there is none.
    pub(crate) fn help_command(&mut self, argument: &str) -> K {
        let width = self.settings.console.1;
        let text = match argument.trim_start_matches('`') {
            "" => reference::overview(width),
            name => reference::page(name, width),
        };
        self.host.print(1, text.as_bytes());
        K::Nil
    }

    /// `help x`: x is a name, its text, or what the name stands for.
    fn help(&mut self, x: &K) -> Result<K> {
        let name = match x {
            K::Nil => String::new(),
            K::Primitive(p) if p.word.is_empty() => p.name.to_string(),
            K::Primitive(p) => p.word.to_string(),
            _ => x.as_text().ok_or_else(|| {
                let signal = Signal::ty().given(&[x]);
                signal.with_hint("help takes a name: ``help`til``")
            })?,
        };
        Ok(self.help_command(&name))
    }
}

#[cfg(test)]
mod tests {
    use values::Symbol;

    /// Parts of the library that only the library calls.
    const OWN: &[&str] = &[
        ".Q.mappable",
        ".h.accepted",
        ".h.file",
        ".h.form",
        ".h.index",
        ".h.lines",
        ".h.joined",
        ".h.flat",
        ".h.row",
        ".h.jt",
        ".h.cell",
        ".h.sheet",
        ".h.book",
    ];

    #[test]
    fn every_name_of_the_library_has_an_entry() {
        let library = crate::library::Library::default();
        for space in ["Q", "h", "j"] {
            for (name, _) in library.names_in(Symbol::new(space)) {
                let full = format!(".{space}.{}", name.text());
                let known = OWN.contains(&full.as_str()) || !reference::find(&full).is_empty();
                assert!(known, "`{full}` has no entry in spec/reference");
            }
        }
    }
}
