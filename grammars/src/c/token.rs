//! The terminals of the grammar and their spellings.

use crate::names::Name;

macro_rules! tokens {
    (
        keywords { $($kw:ident = $kw_text:literal $(| $alias:literal)*;)* }
        punctuation { $($pn:ident = $pn_text:literal;)* }
    ) => {
        /// A terminal of the grammar.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "the variants are the words and signs of C")]
        pub enum Token {
            /// Starts a whole file; the lexer inserts it.
            StartUnit,
            /// Starts the rest of a function body after an error.
            StartBlock,
            /// An identifier; the next token classifies it.
            Name(Name),
            /// Follows a [`Token::Name`] that is a typedef name at this position.
            IsType,
            /// Follows any other [`Token::Name`].
            IsVariable,
            /// A preprocessing number.
            Number,
            /// A character constant.
            Char,
            /// One string literal.
            String,
            $($kw,)*
            $($pn,)*
        }

        impl Token {
            /// The spelling, or the kind of the token.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self {
                    Self::StartUnit => "<unit>",
                    Self::StartBlock => "<block>",
                    Self::Name(_) => "name",
                    Self::IsType => "<type>",
                    Self::IsVariable => "<variable>",
                    Self::Number => "number",
                    Self::Char => "character",
                    Self::String => "string",
                    $(Self::$kw => $kw_text,)*
                    $(Self::$pn => $pn_text,)*
                }
            }
        }

        /// Every spelling of every keyword.
        pub(super) const KEYWORDS: &[(&str, Token)] = &[
            $(($kw_text, Token::$kw), $(($alias, Token::$kw),)*)*
        ];
    };
}

tokens! {
    keywords {
        Alignas = "_Alignas";
        Alignof = "_Alignof";
        Asm = "asm" | "__asm" | "__asm__";
        Atomic = "_Atomic";
        Attribute = "__attribute__" | "__attribute";
        Auto = "auto";
        AutoType = "__auto_type";
        Bool = "_Bool";
        Break = "break";
        Case = "case";
        CharKw = "char";
        ChooseExpr = "__builtin_choose_expr";
        Complex = "_Complex" | "__complex__" | "__complex";
        Const = "const" | "__const" | "__const__";
        Continue = "continue";
        Default = "default";
        Do = "do";
        Double = "double";
        Else = "else";
        Enum = "enum";
        Extension = "__extension__";
        Extern = "extern";
        Float = "float";
        Float16 = "_Float16";
        Float32 = "_Float32";
        Float64 = "_Float64";
        Float128 = "_Float128" | "__float128";
        Float32x = "_Float32x";
        Float64x = "_Float64x";
        For = "for";
        Generic = "_Generic";
        Goto = "goto";
        If = "if";
        Imag = "__imag__" | "__imag";
        Imaginary = "_Imaginary";
        Inline = "inline" | "__inline" | "__inline__";
        Int = "int";
        Int128 = "__int128" | "__int128__";
        Label = "__label__";
        Long = "long";
        Noreturn = "_Noreturn";
        Offsetof = "__builtin_offsetof";
        PreferredAlignof = "__alignof__" | "__alignof";
        Real = "__real__" | "__real";
        Register = "register";
        Restrict = "restrict" | "__restrict" | "__restrict__";
        Return = "return";
        Short = "short";
        Signed = "signed" | "__signed" | "__signed__";
        Sizeof = "sizeof";
        Static = "static";
        StaticAssert = "_Static_assert";
        Struct = "struct";
        Switch = "switch";
        ThreadLocal = "_Thread_local" | "__thread";
        Typedef = "typedef";
        Typeof = "typeof" | "__typeof" | "__typeof__";
        TypesCompatible = "__builtin_types_compatible_p";
        ConvertVector = "__builtin_convertvector";
        Union = "union";
        Unsigned = "unsigned";
        VaArg = "__builtin_va_arg";
        VaList = "__builtin_va_list";
        Void = "void";
        Volatile = "volatile" | "__volatile" | "__volatile__";
        While = "while";
    }
    punctuation {
        AtomicParen = "_Atomic(";
        LParen = "(";
        RParen = ")";
        LBracket = "[";
        RBracket = "]";
        LBrace = "{";
        RBrace = "}";
        Semicolon = ";";
        Comma = ",";
        Colon = ":";
        Question = "?";
        Ellipsis = "...";
        Dot = ".";
        Arrow = "->";
        PlusPlus = "++";
        MinusMinus = "--";
        Amp = "&";
        AmpAmp = "&&";
        Pipe = "|";
        PipePipe = "||";
        Caret = "^";
        Tilde = "~";
        Bang = "!";
        Star = "*";
        Slash = "/";
        Percent = "%";
        Plus = "+";
        Minus = "-";
        Shl = "<<";
        Shr = ">>";
        Lt = "<";
        Gt = ">";
        Le = "<=";
        Ge = ">=";
        EqEq = "==";
        Ne = "!=";
        Eq = "=";
        StarEq = "*=";
        SlashEq = "/=";
        PercentEq = "%=";
        PlusEq = "+=";
        MinusEq = "-=";
        ShlEq = "<<=";
        ShrEq = ">>=";
        AmpEq = "&=";
        CaretEq = "^=";
        PipeEq = "|=";
    }
}
