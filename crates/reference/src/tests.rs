use crate::{chapter, chapters, find, overview, page, plain};

#[test]
fn a_chapter_is_read_from_its_marks() {
    let c = chapter(
        "x",
        "/ # Title\n/ About\n/ it.\n\n/ ## a b\n/   a x    b x\n/ Says\n/ what.\nq)a\n\n1\n\n/ ## c\n/ Other.\n",
    );
    assert_eq!((c.title, c.text.as_str()), ("Title", "About it."));
    assert_eq!(c.entries[0].names, ["a", "b"]);
    assert_eq!(c.entries[0].forms, ["a x", "b x"]);
    assert_eq!(c.entries[0].text, "Says what.");
    assert_eq!(c.entries[0].session, ["q)a", "", "1"]);
    assert_eq!(c.entries[1].text, "Other.");
}

/// Errors that need another process or a broken file have no session; everything else has one.
#[test]
fn every_entry_says_something_and_shows_it() {
    for chapter in chapters() {
        assert!(!chapter.title.is_empty() && !chapter.text.is_empty());
        for entry in &chapter.entries {
            assert!(
                entry.text.ends_with(['.', '?']),
                "{:?} has no text",
                entry.names
            );
            let shown = !entry.session.is_empty() || chapter.file == "errors";
            assert!(shown, "{:?} has no example", entry.names);
            let forms = !entry.forms.is_empty() || chapter.file == "errors";
            assert!(forms, "{:?} has no form", entry.names);
        }
    }
}

#[test]
fn names_are_found() {
    assert_eq!(find("til").len(), 1);
    assert_eq!(find("'type").len(), 1);
    assert!(find("nothing").is_empty());
    assert!(page("type", 80).contains("'type"));
    assert!(page("tri", 80).contains("rtrim"));
    assert!(overview(80).lines().all(|l| l.len() <= 80));
}

#[test]
fn marks_of_code_are_left_out() {
    assert_eq!(plain("a `b` ``c `d`` e"), "a b c `d e");
    assert_eq!(plain("a ` b"), "a ` b");
}
