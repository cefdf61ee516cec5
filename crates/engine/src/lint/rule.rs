//! The rules by name. A name is part of the public format and never changes.

macro_rules! rules {
    ($($variant:ident $name:literal $sentence:literal)*) => {
        /// A wire rule of one or more APIs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $(#[doc = $sentence] $variant,)*
        }

        impl Rule {
            /// Every rule there is.
            pub const ALL: &[Rule] = &[$(Rule::$variant,)*];

            /// The stable name of the rule.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What the rule asks for, in one sentence.
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Self::$variant => $sentence,)*
                }
            }
        }
    };
}

rules! {
    // Shape.
    WrongType "wrongType" "A value has the type the API expects."
    MissingField "missingField" "A required field is there and not empty."
    InvalidValue "invalidValue" "A field that takes one of a few values has one of them."
    OutOfRange "outOfRange" "A number lies within the bounds of the API."
    UnknownRole "unknownRole" "A role is one the API knows."
    UnknownPart "unknownPart" "A part, block or item is of a kind the API knows."
    PartNotAllowed "partNotAllowed" "A part stands in a message whose role may hold it."
    BadParticipantName "badParticipantName" "The name of a participant has 1 to 64 characters without blanks and < | \\ / >."
    IgnoredName "ignoredName" "A name that the server does not read is written into the text."

    // Content.
    EmptyMessages "emptyMessages" "A request has at least one message."
    MissingContent "missingContent" "A message has content, unless it is an assistant's with calls."
    EmptyContent "emptyContent" "A list of parts has at least one."
    EmptyText "emptyText" "A text is not empty."
    TextTooLong "textTooLong" "A text is not longer than the API takes."
    TrailingWhitespace "trailingWhitespace" "A final assistant text does not end in whitespace."

    // Order of messages.
    FirstNotUser "firstNotUser" "The first message is the user's."
    NotAlternating "notAlternating" "User and assistant take turns."
    LastNotUser "lastNotUser" "The last message is the user's."
    PrefillRefused "prefillRefused" "A final assistant message is only sent to models that go on from it."
    SystemRole "systemRole" "The role system stands among messages only where the model takes it."
    MisplacedSystem "misplacedSystem" "A system message among messages follows a user's and is last or before an assistant's."

    // Limits.
    TooManyMessages "tooManyMessages" "A request has no more messages than the API takes."
    BodyTooLarge "bodyTooLarge" "A request has no more bytes than the API takes."
    TooManyImages "tooManyImages" "A request has no more pictures than the API takes."
    ImageTooLarge "imageTooLarge" "A picture has no more pixels than the API takes, fewer when there are many pictures."
    BadBase64 "badBase64" "Data is plain base64."
    BadImageUrl "badImageUrl" "The URL of a picture is http(s), or data with base64."
    UnknownMediaType "unknownMediaType" "A picture is of a media type the API reads."
    MediaTypeMismatch "mediaTypeMismatch" "The media type of a picture is that of its bytes."

    // Tools.
    EmptyTools "emptyTools" "A list of tools or calls is left out when it is empty."
    TooManyTools "tooManyTools" "A request defines no more tools than the API takes."
    BadToolName "badToolName" "The name of a tool has the letters and the length the API takes."
    DuplicateToolName "duplicateToolName" "A tool is defined once."
    BadToolSchema "badToolSchema" "The schema of a tool's arguments is that of an object."
    UnknownToolChoice "unknownToolChoice" "The tool a request chooses is defined in it."
    ForcedToolWithThinking "forcedToolWithThinking" "A tool is not forced while thinking has a budget."

    // Calls and results.
    BadArguments "badArguments" "The arguments of a call are a complete JSON object, in the form the API wants."
    BadCallId "badCallId" "The id of a call has the letters the API takes."
    CallIdTooLong "callIdTooLong" "The id of a call is not longer than the API takes."
    DuplicateCallId "duplicateCallId" "The id of a call is used once in a request."
    TooManyCalls "tooManyCalls" "A message makes no more calls than the API takes."
    UnansweredToolCall "unansweredToolCall" "Every call has its result directly after it."
    OrphanToolResult "orphanToolResult" "Every result has its call before it."
    MisplacedToolResult "misplacedToolResult" "A result directly follows the message with its call."
    DuplicateToolResult "duplicateToolResult" "A call has one result."
    ResultsOutOfOrder "resultsOutOfOrder" "Results come in the order of their calls."
    ContentBeforeResult "contentBeforeResult" "Results come first in their message, before anything else."
    ContentAfterCall "contentAfterCall" "Nothing but calls follows a call in its message."
    ToolNameMismatch "toolNameMismatch" "A result has the name of its call."
    NonTextToolResult "nonTextToolResult" "A tool message holds text only."
    NonTextErrorResult "nonTextErrorResult" "A failed result holds text only."
    MixedProgrammaticResults "mixedProgrammaticResults" "Calls that code made are answered by results alone."
    UnansweredServerTool "unansweredServerTool" "A server tool's call has its result in the same message."
    OrphanServerResult "orphanServerResult" "A server tool's result has its call before it in the same message."

    // Reasoning.
    UnsignedThinking "unsignedThinking" "Thinking carries the signature it came with."
    ThinkingNotFirst "thinkingNotFirst" "A message that calls tools begins with its thinking."
    ThinkingLast "thinkingLast" "An assistant message does not end in thinking."
    MissingSummary "missingSummary" "A reasoning item has its summary, even an empty one."
    PlaintextReasoning "plaintextReasoning" "A reasoning item is sent back without its text."
    ReasoningWithoutItem "reasoningWithoutItem" "A reasoning item is followed by the item it led to."
    UnresolvableReasoning "unresolvableReasoning" "A reasoning item has its encrypted content, or an id that is stored."
    MissingThoughtSignature "missingThoughtSignature" "The first call of each step of the current turn carries its thought signature."

    // Ids of items.
    BadItemId "badItemId" "The id of an item is one the API could have given."
    DuplicateItemId "duplicateItemId" "An item is there once."

    // Cache.
    TooManyCacheMarks "tooManyCacheMarks" "A request has at most four cache marks, the automatic one included."
    CacheMarkOnEmptyText "cacheMarkOnEmptyText" "A cache mark is not on empty text."
    CacheMarkOnThinking "cacheMarkOnThinking" "A cache mark is not on thinking."
    CacheMarkMisplaced "cacheMarkMisplaced" "A cache mark is on a block, not on a message or inside a tool result."
    CacheTtlOrder "cacheTtlOrder" "Cache marks for an hour come before those for five minutes."
    CacheTtlConflict "cacheTtlConflict" "The automatic cache mark has the same ttl as the mark on its block."
    VolatilePrefix "volatilePrefix" "Nothing before a cache mark changes with each request."
}
