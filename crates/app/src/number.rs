//! Numbers as people read them.

/// With a comma between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share of a whole in percent, with one digit behind the point.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let tenths = (u128::from(part) * 1000 + u128::from(whole) / 2) / u128::from(whole.max(1));
    if part > 0 && tenths == 0 { "<0.1%".to_owned() } else { format!("{}.{}%", tenths / 10, tenths % 10) }
}

/// `1 node`, `2 nodes`.
pub(crate) fn many(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
}
