//! Paths that come from a caller, put below a provider's address and nowhere else.
//!
//! What is not plainly a path below it is refused, not repaired: servers differ in what they make of dots, slashes and
//! escapes, and the key goes where the path leads.

use reqwest::Url;

const LONGEST: usize = 8 << 10;
/// Characters that some server reads as the end of a path, or as a slash.
const FORBIDDEN: &[u8] = b"\\#\"<>^`{|}";
/// Parameters that hold a key at some service. Those of a caller are for us, not for the provider.
const KEYS: [&[u8]; 5] = [b"key", b"api_key", b"api-key", b"access_token", b"token"];

/// Why a path is not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPath {
    /// It does not begin with one slash, or holds two in a row.
    #[error("a path begins with one slash, and no part of it is empty")]
    Empty,
    /// It goes up, or stays where it is.
    #[error("a path has no part of dots, written plainly or not")]
    Dots,
    /// A part holds a slash or a control character, written as an escape.
    #[error("a path has no slash, backslash or control character behind an escape")]
    Hidden,
    /// An escape is not one.
    #[error("an escape in a path is % and two hexadecimal digits")]
    Escape,
    /// A character cannot stand there.
    #[error("the character {:?} cannot stand in a path or query", char::from(*byte))]
    Character {
        /// The first of them.
        byte: u8,
    },
    /// It is too long.
    #[error("a path with its query has at most {LONGEST} bytes")]
    TooLong,
}

/// The address of a path and query below `base`. A `/v1` that both have is written once.
pub(crate) fn below(base: &Url, given: &str) -> Result<Url, BadPath> {
    if given.len() > LONGEST {
        return Err(BadPath::TooLong);
    }
    if let Some(byte) = given.bytes().find(|byte| !byte.is_ascii_graphic() || FORBIDDEN.contains(byte)) {
        return Err(BadPath::Character { byte });
    }
    let (path, query) = given.split_once('?').map_or((given, None), |(path, query)| (path, Some(query)));
    path.strip_prefix('/').ok_or(BadPath::Empty)?.split('/').try_for_each(check)?;
    let start = base.path().trim_end_matches('/');
    let rest = if start.ends_with("/v1") { path.strip_prefix("/v1").filter(|rest| rest.starts_with('/')) } else { None };
    let whole = format!("{start}{}", rest.unwrap_or(path));
    let mut url = base.clone();
    url.set_path(&whole);
    url.set_query(query.and_then(without_keys).as_deref());
    // Nothing above leaves anything to be normalised; if it does, we do not know where it leads.
    if url.path() == whole { Ok(url) } else { Err(BadPath::Dots) }
}

/// One part of a path, read as plainly as the most eager server would.
fn check(part: &str) -> Result<(), BadPath> {
    if part.is_empty() {
        return Err(BadPath::Empty);
    }
    let mut text = part.as_bytes().to_vec();
    loop {
        if text.iter().any(|byte| matches!(byte, b'/' | b'\\') || byte.is_ascii_control()) {
            return Err(BadPath::Hidden);
        }
        // What stands behind a semicolon is a parameter to some servers.
        if matches!(text.split(|byte| *byte == b';').next(), Some(b"." | b"..")) {
            return Err(BadPath::Dots);
        }
        let plainer = unescaped(&text).ok_or(BadPath::Escape)?;
        if plainer == text {
            return Ok(());
        }
        text = plainer;
    }
}

/// With each escape resolved once; none if one is broken.
fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            plain.push(*first);
            continue;
        }
        let [high, low, after @ ..] = rest else { return None };
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        plain.push((digit(high)? * 16 + digit(low)?) as u8);
        rest = after;
    }
    Some(plain)
}

/// A query without parameters that hold keys, else byte for byte.
fn without_keys(query: &str) -> Option<String> {
    let is_key = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default().as_bytes();
        let name = unescaped(name).unwrap_or_else(|| name.to_vec()).to_ascii_lowercase();
        KEYS.contains(&name.as_slice())
    };
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_key(pair)).collect();
    (!kept.is_empty()).then(|| kept.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, given: &str, expected: Result<&str, BadPath>) {
        let url = below(&Url::parse(base).expect("an address"), given);
        assert_eq!(url.as_ref().map(Url::as_str).map_err(|error| *error), expected, "{given}");
    }

    #[test]
    fn a_path_goes_below_the_address() {
        check("https://api.openai.com/v1", "/v1/embeddings", Ok("https://api.openai.com/v1/embeddings"));
        check("https://h/v1/", "/v1/files/f-1/content?a=b%20c", Ok("https://h/v1/files/f-1/content?a=b%20c"));
        check("https://api.anthropic.com", "/v1/messages/batches", Ok("https://api.anthropic.com/v1/messages/batches"));
        check("http://h:1/proxy", "/v1/x", Ok("http://h:1/proxy/v1/x"));
        check("http://h/v1", "/v1beta/x", Ok("http://h/v1/v1beta/x"));
        check("http://h/v1", "/v1/models/ft:gpt%3A1@x,y", Ok("http://h/v1/models/ft:gpt%3A1@x,y"));
        check("http://h/v1", "/v1/a...b/c..", Ok("http://h/v1/a...b/c.."));
    }

    #[test]
    fn a_key_in_a_query_stays_here() {
        check("http://h", "/v1/x?key=weft", Ok("http://h/v1/x"));
        check("http://h", "/v1/x?a=1&k%65y=weft&b=%2F", Ok("http://h/v1/x?a=1&b=%2F"));
        check("http://h", "/v1/x?monkey=1&KEY=weft", Ok("http://h/v1/x?monkey=1"));
    }

    #[test]
    fn no_path_leads_elsewhere() {
        for (given, error) in [
            ("", BadPath::Empty),
            ("/", BadPath::Empty),
            ("v1/x", BadPath::Empty),
            ("//evil.example/x", BadPath::Empty),
            ("/v1//evil.example/x", BadPath::Empty),
            ("/v1/x/", BadPath::Empty),
            ("http://evil.example/", BadPath::Empty),
            ("@evil.example/", BadPath::Empty),
            (":80/x", BadPath::Empty),
            ("/\\evil.example", BadPath::Character { byte: b'\\' }),
            ("/v1/x#y", BadPath::Character { byte: b'#' }),
            ("/v1/x y", BadPath::Character { byte: b' ' }),
            ("/v1/x\r\nHost: evil", BadPath::Character { byte: b'\r' }),
            ("/v1/\u{ff0e}\u{ff0e}/x", BadPath::Character { byte: 0xef }),
            ("/v1/../x", BadPath::Dots),
            ("/v1/./x", BadPath::Dots),
            ("/..", BadPath::Dots),
            ("/v1/%2e%2e/x", BadPath::Dots),
            ("/v1/.%2E/x", BadPath::Dots),
            ("/v1/%252e%252e/x", BadPath::Dots),
            ("/v1/%25%32%65%2e/x", BadPath::Dots),
            ("/v1/..;a=b/x", BadPath::Dots),
            ("/v1/%2e%2e%3bx/y", BadPath::Dots),
            ("/v1/a%2fb", BadPath::Hidden),
            ("/v1/%2e%2e%2fx", BadPath::Hidden),
            ("/v1/a%5Cb", BadPath::Hidden),
            ("/v1/a%00", BadPath::Hidden),
            ("/v1/a%0d%0a", BadPath::Hidden),
            ("/v1/%252f", BadPath::Hidden),
            ("/v1/%", BadPath::Escape),
            ("/v1/%zz", BadPath::Escape),
            ("/v1/%c0%ae%2", BadPath::Escape),
        ] {
            check("https://h/base/v1", given, Err(error));
        }
        check("https://h", &format!("/{}", "x".repeat(LONGEST)), Err(BadPath::TooLong));
    }
}
