//! Tests of `src/chat/hoist.rs`.

use proptest::prelude::*;

use super::{Content, Output, OutputPart, fold, hoist, text_part};
use crate::json::StringArena;
use crate::wire::Members;

const IMAGES: [&str; 3] = ["data:image/png;base64,AAAA", "data:image/png;base64,AAAB", "https://example.com/a.png"];

fn image(url: &'static str) -> Members<'static> {
    let mut image = Members::default();
    image.insert("url", url);
    let mut part = Members::typed("image_url");
    part.insert("image_url", image);
    part
}

fn parts(texts: &[Result<String, usize>]) -> Content<'static> {
    let part = |text: &Result<String, usize>| match text {
        Ok(text) => text_part(text.clone().into()),
        Err(index) => image(IMAGES[*index]),
    };
    Content::Parts(texts.iter().map(|text| OutputPart { members: part(text), stays: false }).collect())
}

fn show(outputs: &[Output<'_>], strings: &StringArena) -> Vec<String> {
    let shown = |output: &Output<'_>| match &output.content {
        Content::Text(text) => format!("{} {text}", output.call_id),
        Content::Parts(parts) => parts.iter().map(|part| part.members.to_json(strings).raw().to_owned()).collect(),
    };
    outputs.iter().map(shown).collect()
}

/// Texts that look like labels of the three images, and images.
fn piece() -> impl Strategy<Value = Result<String, usize>> {
    let digits: Vec<String> = IMAGES.iter().map(|url| super::digits(url)).collect();
    let label = (0..IMAGES.len(), 0..68_usize).prop_map(move |(index, length)| match length {
        65.. => format!("{}-{}", digits[index], length - 64),
        _ => digits[index][..length].to_owned(),
    });
    let text = (label, 0..4_usize).prop_map(|(label, form)| match form {
        0 => super::placeholder(&label, "image/png"),
        1 => super::caption(&label, "a"),
        2 => format!("sha256:{label}"),
        _ => super::SENTENCE.to_owned(),
    });
    prop_oneof![text.prop_map(Ok), (0..IMAGES.len()).prop_map(Err)]
}

fn outputs(drawn: &[Vec<Result<String, usize>>]) -> Vec<Output<'static>> {
    let output = |(index, pieces): (usize, &Vec<Result<String, usize>>)| Output {
        call_id: ["a", "b", "a"][index % 3].into(),
        content: match &pieces[..] {
            [Ok(text)] => Content::Text(text.clone().into()),
            _ => parts(pieces),
        },
    };
    drawn.iter().enumerate().map(output).collect()
}

proptest! {
    #[test]
    fn parts_come_back_whatever_the_texts_imitate(
        drawn in prop::collection::vec(prop::collection::vec(piece(), 0..4), 1..4)
    ) {
        let strings = StringArena::default();
        let original = outputs(&drawn);
        let mut moved = original.clone();
        match hoist(&mut moved) {
            None => prop_assert_eq!(show(&moved, &strings), show(&original, &strings)),
            Some(hoisted) => {
                let folded = fold(&moved, &hoisted.content);
                let folded = folded.map(|folded| show(&folded, &strings));
                prop_assert_eq!(folded, Some(show(&original, &strings)));
            }
        }
    }

    #[test]
    fn what_is_folded_is_written_as_it_was(
        drawn in prop::collection::vec(prop::collection::vec(piece(), 0..4), 1..4),
        user in prop::collection::vec(piece(), 0..5),
    ) {
        let strings = StringArena::default();
        let original = outputs(&drawn);
        let mut content = vec![text_part(super::SENTENCE.into())];
        let Content::Parts(parts) = parts(&user) else { unreachable!() };
        content.extend(parts.into_iter().map(|part| part.members));
        if let Some(mut folded) = fold(&original, &content) {
            let hoisted = hoist(&mut folded).map(|hoisted| hoisted.content).unwrap_or_default();
            prop_assert_eq!(show(&folded, &strings), show(&original, &strings));
            let raw = |parts: &[Members<'_>]| parts.iter().map(|part| part.to_json(&strings).raw().to_owned()).collect::<Vec<_>>();
            prop_assert_eq!(raw(&hoisted), raw(&content));
        }
    }
}

#[test]
fn a_text_that_contains_the_label_makes_it_longer() {
    let digits = super::digits(IMAGES[0]);
    let label = |texts: &[String]| {
        let mut pieces: Vec<Result<String, usize>> = texts.iter().cloned().map(Ok).collect();
        pieces.push(Err(0));
        let mut outputs = vec![Output { call_id: "a".into(), content: parts(&pieces) }];
        let content = hoist(&mut outputs).map(|hoisted| hoisted.content).unwrap_or_default();
        super::text_of(&content[1]).unwrap_or_default().into_owned()
    };
    assert_eq!(label(&[]), format!("[part sha256:{} of a]", &digits[..12]));
    assert_eq!(label(&[format!("sha256:{}", &digits[..14])]), format!("[part sha256:{} of a]", &digits[..15]));
    let all = [format!("sha256:{digits}"), format!("sha256:{digits}-1 and more")];
    assert_eq!(label(&all), format!("[part sha256:{digits}-2 of a]"));
}
