//! The few plain pages that the server writes itself. No script, no style, nothing from elsewhere.

/// A page.
pub(super) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"></head><body><main>{body}</main></body></html>",
        escaped(title)
    )
}

/// Text that stays text.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
