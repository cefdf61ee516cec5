//! Making an answer fit: what is kept is bounded, what is sent is shorter still.

use super::{Answer, Limits, shorten};
use weftwork::model::{Media, Part};

/// The answer as it is sent, and its whole text if that is longer.
pub(super) fn fit(id: &str, answer: Answer, limits: &Limits) -> (Answer, Option<String>) {
    let answer = bound(answer, limits.whole);
    let length: usize = texts(&answer).map(str::len).sum();
    if length <= limits.result {
        return (answer, None);
    }
    let whole = texts(&answer).collect::<Vec<&str>>().join("\n\n");
    let short = shorten(id, &whole, limits.result).map_or_else(|| whole.clone(), |short| short.text);
    let media = answer.parts.into_iter().filter(|part| !matches!(part, Part::Text(_)));
    let parts = std::iter::once(Part::text(short)).chain(media).collect();
    (Answer { parts, is_error: answer.is_error }, Some(whole))
}

fn texts(answer: &Answer) -> impl Iterator<Item = &str> {
    answer.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None })
}

/// Leaves out, and says so, what goes beyond `most` bytes.
fn bound(answer: Answer, most: usize) -> Answer {
    let mut left = most;
    let mut bounded = Answer { parts: Vec::new(), is_error: answer.is_error };
    for part in answer.parts {
        let size = size(&part);
        if size <= left {
            left -= size;
            bounded.parts.push(part);
            continue;
        }
        if let Part::Text(text) = &part {
            bounded.say(&text.text[..text.text.floor_char_boundary(left)]);
        }
        left = 0;
        bounded.say(&format!("[{size} bytes were more than is kept: a result may have {most}]"));
    }
    bounded
}

fn size(part: &Part) -> usize {
    let of_media = |media: &Media| match media {
        Media::Data(data) => data.len(),
        Media::Url(url) => url.len(),
    };
    match part {
        Part::Text(text) => text.text.len(),
        Part::Image(image) => of_media(&image.media),
        Part::File(file) => of_media(&file.media),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weftwork::model::Image;

    fn picture(bytes: usize) -> Part {
        let media = Media::Data("A".repeat(bytes));
        Part::Image(Image { media_type: "image/png".into(), media, width: None, height: None })
    }

    #[test]
    fn a_short_answer_stays_as_it_is() {
        let answer = Answer { parts: vec![Part::text("a"), picture(9), Part::text("b")], is_error: true };
        assert_eq!(fit("c", answer.clone(), &Limits::default()), (answer, None));
    }

    #[test]
    fn of_a_long_answer_the_whole_text_is_given_back_and_pictures_stay() {
        let limits = Limits { result: 1000, ..Limits::default() };
        let (head, tail) = ("a".repeat(900), "b".repeat(900));
        let answer = Answer { parts: vec![Part::text(&head), picture(5000), Part::text(&tail)], is_error: false };
        let (sent, whole) = fit("c", answer, &limits);
        assert_eq!(whole, Some(format!("{head}\n\n{tail}")));
        let [Part::Text(text), Part::Image(_)] = sent.parts.as_slice() else { panic!("{sent:?}") };
        assert!(text.text.len() <= 1000 && text.text.contains("read_result"), "{}", text.text);
    }

    #[test]
    fn what_is_kept_is_bounded_and_says_so() {
        let limits = Limits { whole: 100, ..Limits::default() };
        let answer = Answer { parts: vec![Part::text("ä".repeat(49)), picture(50), Part::text("tail")], is_error: false };
        let (sent, _) = fit("c", answer, &limits);
        let [Part::Text(text)] = sent.parts.as_slice() else { panic!("{sent:?}") };
        assert!(text.text.contains("[50 bytes were more than is kept: a result may have 100]"), "{}", text.text);
    }
}
