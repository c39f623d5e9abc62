//! The built-in functions for x86 instructions (`__builtin_ia32_…`) with known semantics.
//!
//! [`TABLE`] has a row for each family: names, signature, meaning. Each name is given with the
//! default width in bits of the vectors in its signature: `pshufd:128`. `paddsb*` abbreviates
//! `paddsb:64`, `paddsb128:128` and `paddsb256:256`; `pmaxsb+` abbreviates the latter two. A
//! signature lists the result and the parameters. A vector is given by the letter of its element
//! type, followed by its width if it differs from the default; other letters are scalars.
//!
//! | letter | vector element | letter | scalar |
//! |---|---|---|---|
//! | `b` `B` | 8 bits, signed and unsigned | `c` `y` | `char`, `unsigned char` |
//! | `w` `W` | 16 bits | `s` `h` | `short`, `unsigned short` |
//! | `d` `D` | 32 bits | `i` `u` | `int`, `unsigned` |
//! | `q` `Q` | 64 bits | `l` `m` | `long long`, `unsigned long long` |
//! | `f` `g` | `float`, `double` | `r` `e` | `float`, `double` |
//!
//! The signedness is that of the operation. The functions of gcc have signed elements only; the
//! result is reinterpreted accordingly.

use super::Checker;
use crate::c::hir::{
    BinaryOp, Builtin, CompareOp, Excess, ExprId, ExprKind, FloatOp, PlaceKind, VectorOp as V,
};
use crate::c::types::{IntegerKind, QualType, TypeId};
use grammars::c::ast::{Qualifier, Qualifiers};
use grammars::source::Span;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The meaning of a function.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// A vector operation on the arguments.
    Operation(V),
    /// A C operator.
    Operator(BinaryOp),
    /// A C comparison.
    Comparison(CompareOp),
    /// Loads the value that the first argument points to.
    Load,
    /// Stores the second argument to the target of the first.
    Store,
    /// No effect visible to the program.
    Nothing,
}

use Meaning::{Comparison, Load, Nothing, Operation as Op, Operator, Store};

/// Names, signature, meaning; see the module documentation.
const TABLE: &[(&str, &str, Meaning)] = &[
    ("paddb:64", "B B B", Operator(BinaryOp::Add)),
    ("paddw:64", "W W W", Operator(BinaryOp::Add)),
    ("paddd:64", "D D D", Operator(BinaryOp::Add)),
    ("paddq:64", "Q Q Q", Operator(BinaryOp::Add)),
    ("psubb:64", "B B B", Operator(BinaryOp::Sub)),
    ("psubw:64", "W W W", Operator(BinaryOp::Sub)),
    ("psubd:64", "D D D", Operator(BinaryOp::Sub)),
    ("psubq:64", "Q Q Q", Operator(BinaryOp::Sub)),
    ("pmullw:64", "W W W", Operator(BinaryOp::Mul)),
    ("pcmpeqb:64", "b b b", Comparison(CompareOp::Eq)),
    ("pcmpeqw:64", "w w w", Comparison(CompareOp::Eq)),
    ("pcmpeqd:64", "d d d", Comparison(CompareOp::Eq)),
    ("pcmpgtb:64", "b b b", Comparison(CompareOp::Gt)),
    ("pcmpgtw:64", "w w w", Comparison(CompareOp::Gt)),
    ("pcmpgtd:64", "d d d", Comparison(CompareOp::Gt)),
    ("pand:64", "d d d", Op(V::And)),
    ("por:64", "d d d", Op(V::Or)),
    ("pxor:64", "d d d", Op(V::ExclusiveOr)),
    ("pandn:64", "d d d", Op(V::AndNot)),
    ("pandn128:128 andnotsi256:256", "q q q", Op(V::AndNot)),
    ("andps:128 andps256:256", "f f f", Op(V::And)),
    ("orps:128 orps256:256", "f f f", Op(V::Or)),
    ("xorps:128 xorps256:256", "f f f", Op(V::ExclusiveOr)),
    ("andnps:128 andnps256:256", "f f f", Op(V::AndNot)),
    ("andpd:128 andpd256:256", "g g g", Op(V::And)),
    ("orpd:128 orpd256:256", "g g g", Op(V::Or)),
    ("xorpd:128 xorpd256:256", "g g g", Op(V::ExclusiveOr)),
    ("andnpd:128 andnpd256:256", "g g g", Op(V::AndNot)),
    ("paddsb*", "b b b", Op(V::AddSaturating)),
    ("paddsw*", "w w w", Op(V::AddSaturating)),
    ("paddusb*", "B B B", Op(V::AddSaturating)),
    ("paddusw*", "W W W", Op(V::AddSaturating)),
    ("psubsb*", "b b b", Op(V::SubtractSaturating)),
    ("psubsw*", "w w w", Op(V::SubtractSaturating)),
    ("psubusb*", "B B B", Op(V::SubtractSaturating)),
    ("psubusw*", "W W W", Op(V::SubtractSaturating)),
    ("pmulhw*", "w w w", Op(V::MultiplyHigh)),
    ("pmulhuw*", "W W W", Op(V::MultiplyHigh)),
    ("pmulhrsw*", "w w w", Op(V::MultiplyHighRounded)),
    ("pmuludq*", "Q D D", Op(V::MultiplyEven)),
    ("pmuldq+", "q d d", Op(V::MultiplyEven)),
    ("pmaddwd*", "d w w", Op(V::MultiplyAdd(Excess::Wraps))),
    ("pmaddubsw*", "w B b", Op(V::MultiplyAdd(Excess::Saturates))),
    ("pminsb+", "b b b", Op(V::Minimum)),
    ("pminub*", "B B B", Op(V::Minimum)),
    ("pminsw*", "w w w", Op(V::Minimum)),
    ("pminuw+", "W W W", Op(V::Minimum)),
    ("pminsd+", "d d d", Op(V::Minimum)),
    ("pminud+", "D D D", Op(V::Minimum)),
    ("pmaxsb+", "b b b", Op(V::Maximum)),
    ("pmaxub*", "B B B", Op(V::Maximum)),
    ("pmaxsw*", "w w w", Op(V::Maximum)),
    ("pmaxuw+", "W W W", Op(V::Maximum)),
    ("pmaxsd+", "d d d", Op(V::Maximum)),
    ("pmaxud+", "D D D", Op(V::Maximum)),
    ("pavgb*", "B B B", Op(V::Average)),
    ("pavgw*", "W W W", Op(V::Average)),
    ("psignb*", "b b b", Op(V::Sign)),
    ("psignw*", "w w w", Op(V::Sign)),
    ("psignd*", "d d d", Op(V::Sign)),
    ("pabsb*", "b b", Op(V::Absolute)),
    ("pabsw*", "w w", Op(V::Absolute)),
    ("pabsd*", "d d", Op(V::Absolute)),
    ("psadbw*", "q B B", Op(V::SumAbsoluteDifferences)),
    ("phaddw*", "w w w", Op(V::HorizontalAdd(Excess::Wraps))),
    ("phaddd*", "d d d", Op(V::HorizontalAdd(Excess::Wraps))),
    ("phaddsw*", "w w w", Op(V::HorizontalAdd(Excess::Saturates))),
    ("phsubw*", "w w w", Op(V::HorizontalSubtract(Excess::Wraps))),
    ("phsubd*", "d d d", Op(V::HorizontalSubtract(Excess::Wraps))),
    ("phsubsw*", "w w w", Op(V::HorizontalSubtract(Excess::Saturates))),
    ("packsswb*", "b w w", Op(V::Pack)),
    ("packssdw*", "w d d", Op(V::Pack)),
    ("packuswb*", "B w w", Op(V::Pack)),
    ("packusdw+", "W d d", Op(V::Pack)),
    ("punpcklbw*", "b b b", Op(V::UnpackLow)),
    ("punpcklwd*", "w w w", Op(V::UnpackLow)),
    ("punpckldq*", "d d d", Op(V::UnpackLow)),
    ("punpcklqdq+", "q q q", Op(V::UnpackLow)),
    ("unpcklps:128 unpcklps256:256", "f f f", Op(V::UnpackLow)),
    ("unpcklpd:128 unpcklpd256:256", "g g g", Op(V::UnpackLow)),
    ("punpckhbw*", "b b b", Op(V::UnpackHigh)),
    ("punpckhwd*", "w w w", Op(V::UnpackHigh)),
    ("punpckhdq*", "d d d", Op(V::UnpackHigh)),
    ("punpckhqdq+", "q q q", Op(V::UnpackHigh)),
    ("unpckhps:128 unpckhps256:256", "f f f", Op(V::UnpackHigh)),
    ("unpckhpd:128 unpckhpd256:256", "g g g", Op(V::UnpackHigh)),
    ("psllwi*", "W W i", Op(V::ShiftLeft)),
    ("pslldi*", "D D i", Op(V::ShiftLeft)),
    ("psllqi*", "Q Q i", Op(V::ShiftLeft)),
    ("psllw:64 psllw128:128", "W W W", Op(V::ShiftLeft)),
    ("pslld:64 pslld128:128", "D D D", Op(V::ShiftLeft)),
    ("psllq:64 psllq128:128", "Q Q Q", Op(V::ShiftLeft)),
    ("psllw256:256", "W W W128", Op(V::ShiftLeft)),
    ("pslld256:256", "D D D128", Op(V::ShiftLeft)),
    ("psllq256:256", "Q Q Q128", Op(V::ShiftLeft)),
    ("psrlwi*", "W W i", Op(V::ShiftRight)),
    ("psrldi*", "D D i", Op(V::ShiftRight)),
    ("psrlqi*", "Q Q i", Op(V::ShiftRight)),
    ("psrlw:64 psrlw128:128", "W W W", Op(V::ShiftRight)),
    ("psrld:64 psrld128:128", "D D D", Op(V::ShiftRight)),
    ("psrlq:64 psrlq128:128", "Q Q Q", Op(V::ShiftRight)),
    ("psrlw256:256", "W W W128", Op(V::ShiftRight)),
    ("psrld256:256", "D D D128", Op(V::ShiftRight)),
    ("psrlq256:256", "Q Q Q128", Op(V::ShiftRight)),
    ("psrawi*", "w w i", Op(V::ShiftRight)),
    ("psradi*", "d d i", Op(V::ShiftRight)),
    ("psraw:64 psraw128:128", "w w w", Op(V::ShiftRight)),
    ("psrad:64 psrad128:128", "d d d", Op(V::ShiftRight)),
    ("psraw256:256", "w w w128", Op(V::ShiftRight)),
    ("psrad256:256", "d d d128", Op(V::ShiftRight)),
    ("psllv4si:128 psllv8si:256", "D D D", Op(V::ShiftLeftEach)),
    ("psllv2di:128 psllv4di:256", "Q Q Q", Op(V::ShiftLeftEach)),
    ("psrlv4si:128 psrlv8si:256", "D D D", Op(V::ShiftRightEach)),
    ("psrlv2di:128 psrlv4di:256", "Q Q Q", Op(V::ShiftRightEach)),
    ("psrav4si:128 psrav8si:256", "d d D", Op(V::ShiftRightEach)),
    ("pslldqi128:128 pslldqi256:256", "q q i", Op(V::BytesUp)),
    ("psrldqi128:128 psrldqi256:256", "q q i", Op(V::BytesDown)),
    ("palignr*", "q q q i", Op(V::Align)),
    ("pshufw:64", "w w i", Op(V::ShuffleFour)),
    ("pshufd:128 pshufd256:256", "d d i", Op(V::ShuffleFour)),
    ("permdi256:256", "q q i", Op(V::ShuffleFour)),
    ("permdf256:256", "g g i", Op(V::ShuffleFour)),
    ("vpermilps:128 vpermilps256:256", "f f i", Op(V::ShuffleFour)),
    ("pshuflw:128 pshuflw256:256", "w w i", Op(V::ShuffleLow)),
    ("pshufhw:128 pshufhw256:256", "w w i", Op(V::ShuffleHigh)),
    ("shufps:128 shufps256:256", "f f f i", Op(V::ShuffleTwo)),
    ("shufpd:128 shufpd256:256", "g g g i", Op(V::ShuffleTwo)),
    ("pshufb*", "b b B", Op(V::ShuffleBytes)),
    ("pblendw128:128 pblendw256:256", "w w w i", Op(V::Blend)),
    ("pblendd128:128 pblendd256:256", "d d d i", Op(V::Blend)),
    ("blendps:128 blendps256:256", "f f f i", Op(V::Blend)),
    ("blendpd:128 blendpd256:256", "g g g i", Op(V::Blend)),
    ("pblendvb128:128 pblendvb256:256", "b b b b", Op(V::BlendSign)),
    ("blendvps:128 blendvps256:256", "f f f f", Op(V::BlendSign)),
    ("blendvpd:128 blendvpd256:256", "g g g g", Op(V::BlendSign)),
    ("pmovmskb*", "i b", Op(V::MoveMask)),
    ("movmskps:128 movmskps256:256", "i f", Op(V::MoveMask)),
    ("movmskpd:128 movmskpd256:256", "i g", Op(V::MoveMask)),
    ("vec_ext_v16qi:128", "c b i", Op(V::Element)),
    ("vec_ext_v4hi:64 vec_ext_v8hi:128", "s w i", Op(V::Element)),
    ("vec_ext_v2si:64 vec_ext_v4si:128", "i d i", Op(V::Element)),
    ("vec_ext_v2di:128", "l q i", Op(V::Element)),
    ("vec_ext_v4sf:128", "r f i", Op(V::Element)),
    ("vec_ext_v2df:128", "e g i", Op(V::Element)),
    ("vec_set_v16qi:128", "b b c i", Op(V::Insert)),
    ("vec_set_v4hi:64 vec_set_v8hi:128", "w w s i", Op(V::Insert)),
    ("vec_set_v4si:128", "d d i i", Op(V::Insert)),
    ("vec_set_v2di:128", "q q l i", Op(V::Insert)),
    ("vec_init_v2si:64", "d i i", Op(V::Make)),
    ("vec_init_v4hi:64", "w s s s s", Op(V::Make)),
    ("vec_init_v8qi:64", "b c c c c c c c c", Op(V::Make)),
    ("movss:128", "f f f", Op(V::First)),
    ("movsd:128", "g g g", Op(V::First)),
    ("movq128:128", "q q", Op(V::FirstAlone)),
    ("movhlps:128", "f f f", Op(V::HighToLow)),
    ("movlhps:128", "f f f", Op(V::LowToHigh)),
    ("ps256_ps:256", "f f128", Op(V::Resize)),
    ("pd256_pd:256", "g g128", Op(V::Resize)),
    ("si256_si:256", "d d128", Op(V::Resize)),
    ("ps_ps256:256", "f128 f", Op(V::Resize)),
    ("pd_pd256:256", "g128 g", Op(V::Resize)),
    ("si_si256:256", "d128 d", Op(V::Resize)),
    ("pbroadcastb+", "b b128", Op(V::Broadcast)),
    ("pbroadcastw+", "w w128", Op(V::Broadcast)),
    ("pbroadcastd+", "d d128", Op(V::Broadcast)),
    ("pbroadcastq+", "q q128", Op(V::Broadcast)),
    ("vbroadcastss_ps:128 vbroadcastss_ps256:256", "f f128", Op(V::Broadcast)),
    ("vbroadcastsd_pd256:256", "g g128", Op(V::Broadcast)),
    ("extract128i256:256", "q128 q i", Op(V::Half)),
    ("vextractf128_si256:256", "d128 d i", Op(V::Half)),
    ("vextractf128_ps256:256", "f128 f i", Op(V::Half)),
    ("vextractf128_pd256:256", "g128 g i", Op(V::Half)),
    ("insert128i256:256", "q q q128 i", Op(V::InsertHalf)),
    ("vinsertf128_si256:256", "d d d128 i", Op(V::InsertHalf)),
    ("vinsertf128_ps256:256", "f f f128 i", Op(V::InsertHalf)),
    ("vinsertf128_pd256:256", "g g g128 i", Op(V::InsertHalf)),
    ("permti256:256", "q q q i", Op(V::TwoHalves)),
    ("vperm2f128_si256:256", "d d d i", Op(V::TwoHalves)),
    ("vperm2f128_ps256:256", "f f f i", Op(V::TwoHalves)),
    ("vperm2f128_pd256:256", "g g g i", Op(V::TwoHalves)),
    ("permvarsi256:256", "d d D", Op(V::PermuteEach)),
    ("permvarsf256:256", "f f D", Op(V::PermuteEach)),
    ("ptestz128:128 ptestz256:256", "i q q", Op(V::TestZero)),
    ("ptestc128:128 ptestc256:256", "i q q", Op(V::TestCarry)),
    ("ptestnzc128:128 ptestnzc256:256", "i q q", Op(V::TestNeither)),
    ("pmovsxbw+", "w b128", Op(V::Convert)),
    ("pmovsxbd+", "d b128", Op(V::Convert)),
    ("pmovsxbq+", "q b128", Op(V::Convert)),
    ("pmovsxwd+", "d w128", Op(V::Convert)),
    ("pmovsxwq+", "q w128", Op(V::Convert)),
    ("pmovsxdq+", "q d128", Op(V::Convert)),
    ("pmovzxbw+", "W B128", Op(V::Convert)),
    ("pmovzxbd+", "D B128", Op(V::Convert)),
    ("pmovzxbq+", "Q B128", Op(V::Convert)),
    ("pmovzxwd+", "D W128", Op(V::Convert)),
    ("pmovzxwq+", "Q W128", Op(V::Convert)),
    ("pmovzxdq+", "Q D128", Op(V::Convert)),
    ("cvtdq2ps:128 cvtdq2ps256:256", "f d", Op(V::Convert)),
    ("cvtdq2pd:128 cvtdq2pd256:256", "g d128", Op(V::Convert)),
    ("cvtps2pd:128 cvtps2pd256:256", "g f128", Op(V::Convert)),
    ("cvtpd2ps:128 cvtpd2ps256:256", "f128 g", Op(V::Convert)),
    ("cvttps2dq:128 cvttps2dq256:256", "d f", Op(V::Convert)),
    ("cvttpd2dq:128 cvttpd2dq256:256", "d128 g", Op(V::Convert)),
    ("cvtsi2ss:128", "f f i", Op(V::ConvertFirst)),
    ("cvtsi642ss:128", "f f l", Op(V::ConvertFirst)),
    ("cvtsi2sd:128", "g g i", Op(V::ConvertFirst)),
    ("cvtsi642sd:128", "g g l", Op(V::ConvertFirst)),
    ("cvtsd2ss:128", "f f g", Op(V::ConvertFirst)),
    ("cvtss2sd:128", "g g f", Op(V::ConvertFirst)),
    ("cvttss2si:128", "i f", Op(V::TruncateFirst)),
    ("cvttss2si64:128", "l f", Op(V::TruncateFirst)),
    ("cvttsd2si:128", "i g", Op(V::TruncateFirst)),
    ("cvttsd2si64:128", "l g", Op(V::TruncateFirst)),
    ("haddps:128 haddps256:256", "f f f", Op(V::HorizontalAdd(Excess::Wraps))),
    ("haddpd:128 haddpd256:256", "g g g", Op(V::HorizontalAdd(Excess::Wraps))),
    ("hsubps:128 hsubps256:256", "f f f", Op(V::HorizontalSubtract(Excess::Wraps))),
    ("hsubpd:128 hsubpd256:256", "g g g", Op(V::HorizontalSubtract(Excess::Wraps))),
    ("minps:128 minps256:256", "f f f", Op(V::Float(FloatOp::Minimum))),
    ("maxps:128 maxps256:256", "f f f", Op(V::Float(FloatOp::Maximum))),
    ("minpd:128 minpd256:256", "g g g", Op(V::Float(FloatOp::Minimum))),
    ("maxpd:128 maxpd256:256", "g g g", Op(V::Float(FloatOp::Maximum))),
    ("cmpeqps:128", "f f f", Op(V::Float(FloatOp::Compare(CompareOp::Eq)))),
    ("cmpltps:128", "f f f", Op(V::Float(FloatOp::Compare(CompareOp::Lt)))),
    ("cmpleps:128", "f f f", Op(V::Float(FloatOp::Compare(CompareOp::Le)))),
    ("cmpgtps:128", "f f f", Op(V::Float(FloatOp::Compare(CompareOp::Gt)))),
    ("cmpgeps:128", "f f f", Op(V::Float(FloatOp::Compare(CompareOp::Ge)))),
    ("cmpneqps:128", "f f f", Op(V::Float(FloatOp::CompareNot(CompareOp::Eq)))),
    ("cmpnltps:128", "f f f", Op(V::Float(FloatOp::CompareNot(CompareOp::Lt)))),
    ("cmpnleps:128", "f f f", Op(V::Float(FloatOp::CompareNot(CompareOp::Le)))),
    ("cmpngtps:128", "f f f", Op(V::Float(FloatOp::CompareNot(CompareOp::Gt)))),
    ("cmpngeps:128", "f f f", Op(V::Float(FloatOp::CompareNot(CompareOp::Ge)))),
    ("cmpordps:128", "f f f", Op(V::Float(FloatOp::Ordered))),
    ("cmpunordps:128", "f f f", Op(V::Float(FloatOp::Unordered))),
    ("cmpeqpd:128", "g g g", Op(V::Float(FloatOp::Compare(CompareOp::Eq)))),
    ("cmpltpd:128", "g g g", Op(V::Float(FloatOp::Compare(CompareOp::Lt)))),
    ("cmplepd:128", "g g g", Op(V::Float(FloatOp::Compare(CompareOp::Le)))),
    ("cmpgtpd:128", "g g g", Op(V::Float(FloatOp::Compare(CompareOp::Gt)))),
    ("cmpgepd:128", "g g g", Op(V::Float(FloatOp::Compare(CompareOp::Ge)))),
    ("cmpneqpd:128", "g g g", Op(V::Float(FloatOp::CompareNot(CompareOp::Eq)))),
    ("cmpnltpd:128", "g g g", Op(V::Float(FloatOp::CompareNot(CompareOp::Lt)))),
    ("cmpnlepd:128", "g g g", Op(V::Float(FloatOp::CompareNot(CompareOp::Le)))),
    ("cmpngtpd:128", "g g g", Op(V::Float(FloatOp::CompareNot(CompareOp::Gt)))),
    ("cmpngepd:128", "g g g", Op(V::Float(FloatOp::CompareNot(CompareOp::Ge)))),
    ("cmpordpd:128", "g g g", Op(V::Float(FloatOp::Ordered))),
    ("cmpunordpd:128", "g g g", Op(V::Float(FloatOp::Unordered))),
    ("addss:128", "f f f", Op(V::FloatFirst(FloatOp::Add))),
    ("subss:128", "f f f", Op(V::FloatFirst(FloatOp::Subtract))),
    ("mulss:128", "f f f", Op(V::FloatFirst(FloatOp::Multiply))),
    ("divss:128", "f f f", Op(V::FloatFirst(FloatOp::Divide))),
    ("minss:128", "f f f", Op(V::FloatFirst(FloatOp::Minimum))),
    ("maxss:128", "f f f", Op(V::FloatFirst(FloatOp::Maximum))),
    ("addsd:128", "g g g", Op(V::FloatFirst(FloatOp::Add))),
    ("subsd:128", "g g g", Op(V::FloatFirst(FloatOp::Subtract))),
    ("mulsd:128", "g g g", Op(V::FloatFirst(FloatOp::Multiply))),
    ("divsd:128", "g g g", Op(V::FloatFirst(FloatOp::Divide))),
    ("minsd:128", "g g g", Op(V::FloatFirst(FloatOp::Minimum))),
    ("maxsd:128", "g g g", Op(V::FloatFirst(FloatOp::Maximum))),
    ("cmpeqss:128", "f f f", Op(V::FloatFirst(FloatOp::Compare(CompareOp::Eq)))),
    ("cmpltss:128", "f f f", Op(V::FloatFirst(FloatOp::Compare(CompareOp::Lt)))),
    ("cmpless:128", "f f f", Op(V::FloatFirst(FloatOp::Compare(CompareOp::Le)))),
    ("cmpneqss:128", "f f f", Op(V::FloatFirst(FloatOp::CompareNot(CompareOp::Eq)))),
    ("cmpnltss:128", "f f f", Op(V::FloatFirst(FloatOp::CompareNot(CompareOp::Lt)))),
    ("cmpnless:128", "f f f", Op(V::FloatFirst(FloatOp::CompareNot(CompareOp::Le)))),
    ("cmpordss:128", "f f f", Op(V::FloatFirst(FloatOp::Ordered))),
    ("cmpunordss:128", "f f f", Op(V::FloatFirst(FloatOp::Unordered))),
    ("cmpeqsd:128", "g g g", Op(V::FloatFirst(FloatOp::Compare(CompareOp::Eq)))),
    ("cmpltsd:128", "g g g", Op(V::FloatFirst(FloatOp::Compare(CompareOp::Lt)))),
    ("cmplesd:128", "g g g", Op(V::FloatFirst(FloatOp::Compare(CompareOp::Le)))),
    ("cmpneqsd:128", "g g g", Op(V::FloatFirst(FloatOp::CompareNot(CompareOp::Eq)))),
    ("cmpnltsd:128", "g g g", Op(V::FloatFirst(FloatOp::CompareNot(CompareOp::Lt)))),
    ("cmpnlesd:128", "g g g", Op(V::FloatFirst(FloatOp::CompareNot(CompareOp::Le)))),
    ("cmpordsd:128", "g g g", Op(V::FloatFirst(FloatOp::Ordered))),
    ("cmpunordsd:128", "g g g", Op(V::FloatFirst(FloatOp::Unordered))),
    ("sqrtps:128 sqrtps256:256", "f f", Op(V::SquareRoot)),
    ("sqrtpd:128 sqrtpd256:256", "g g", Op(V::SquareRoot)),
    ("sqrtss:128", "f f", Op(V::SquareRootFirst)),
    ("sqrtsd:128", "g g", Op(V::SquareRootFirst)),
    ("crc32qi:64", "u u y", Op(V::CyclicRedundancy)),
    ("crc32hi:64", "u u h", Op(V::CyclicRedundancy)),
    ("crc32si:64", "u u u", Op(V::CyclicRedundancy)),
    ("crc32di:64", "m m m", Op(V::CyclicRedundancy)),
    ("pdep_si:64", "u u u", Op(V::DepositBits)),
    ("pdep_di:64", "m m m", Op(V::DepositBits)),
    ("pext_si:64", "u u u", Op(V::ExtractBits)),
    ("pext_di:64", "m m m", Op(V::ExtractBits)),
    ("bzhi_si:64", "u u u", Op(V::ZeroHigh)),
    ("bzhi_di:64", "m m m", Op(V::ZeroHigh)),
    ("bextr_u32:64", "u u u", Op(V::BitField)),
    ("bextr_u64:64", "m m m", Op(V::BitField)),
    ("lzcnt_u16:64", "h h", Op(V::LeadingZeros)),
    ("lzcnt_u32:64", "u u", Op(V::LeadingZeros)),
    ("lzcnt_u64:64", "m m", Op(V::LeadingZeros)),
    ("tzcnt_u16:64", "h h", Op(V::TrailingZeros)),
    ("tzcnt_u32:64", "u u", Op(V::TrailingZeros)),
    ("tzcnt_u64:64", "m m", Op(V::TrailingZeros)),
    ("rolqi:64", "y y i", Op(V::RotateLeft)),
    ("rolhi:64", "h h i", Op(V::RotateLeft)),
    ("rorqi:64", "y y i", Op(V::RotateRight)),
    ("rorhi:64", "h h i", Op(V::RotateRight)),
    ("lddqu:128 lddqu256:256", "b", Load),
    ("movntdqa:128 movntdqa256:256", "q", Load),
    ("movntdq:128 movntdq256:256", "q", Store),
    ("movntps:128 movntps256:256", "f", Store),
    ("movntpd:128 movntpd256:256", "g", Store),
    ("movnti:64", "i", Store),
    ("movnti64:64 movntq:64", "l", Store),
    ("emms:64 pause:64 sfence:64 lfence:64 mfence:64 clflush:64 vzeroupper:256 vzeroall:256", "", Nothing),
];

/// A function: the default vector width in bits, the signature, the meaning.
type Row = (u64, &'static str, Meaning);

/// The rows of [`TABLE`] by name.
static FUNCTIONS: LazyLock<FxHashMap<String, Row>> = LazyLock::new(|| {
    let mut functions = FxHashMap::default();
    for &(names, signature, meaning) in TABLE {
        for name in names.split(' ') {
            let mut add = |name: String, bits: u64| functions.insert(name, (bits, signature, meaning));
            if let Some(stem) = name.strip_suffix('*') {
                add(stem.to_owned(), 64);
                add(format!("{stem}128"), 128);
                add(format!("{stem}256"), 256);
            } else if let Some(stem) = name.strip_suffix('+') {
                add(format!("{stem}128"), 128);
                add(format!("{stem}256"), 256);
            } else if let Some((name, bits)) = name.split_once(':') {
                add(name.to_owned(), bits.parse().expect("each name in the table has its width"));
            }
        }
    }
    functions
});

impl Checker<'_> {
    /// Checks a call of `__builtin_ia32_` followed by `name`; `None` if the function is unknown or
    /// the arguments do not match its signature.
    pub(super) fn intrinsic(&mut self, name: &str, arguments: &[ExprId], span: Span) -> Option<ExprId> {
        let &(bits, signature, meaning) = FUNCTIONS.get(name)?;
        let mut types = Vec::new();
        for token in signature.split_whitespace() {
            types.push(self.signature_type(token, bits)?);
        }
        let parameters = match meaning {
            Nothing => {
                let kind = ExprKind::Builtin { builtin: Builtin::Prefetch, arguments: Box::from(arguments) };
                return Some(self.expr(kind, TypeId::VOID, span));
            }
            Load => return self.intrinsic_load(types[0], arguments, span),
            Store => return self.intrinsic_store(types[0], arguments, span),
            _ => &types[1..],
        };
        if parameters.len() != arguments.len()
            || !arguments.iter().zip(parameters).all(|(&argument, &to)| self.takes(to, argument))
        {
            return None;
        }
        let mut operands = Vec::with_capacity(arguments.len());
        for (&argument, &parameter) in arguments.iter().zip(parameters) {
            let at = self.span(argument);
            operands.push(self.assign_convert(argument, parameter, "argument passing", at));
        }
        let result = types[0];
        let value = match meaning {
            Op(op) => self.vector_node(op, operands, result, span),
            Operator(op) => self.arithmetic(op, operands[0], operands[1], span),
            Comparison(op) => self.compare(op, operands[0], operands[1], span),
            Load | Store | Nothing => return None,
        };
        let declared = self.signed_elements(result);
        Some(self.reinterpret(value, declared))
    }

    /// Whether a parameter accepts an argument. Another compiler may define a different function
    /// with the same name.
    fn takes(&self, parameter: TypeId, argument: ExprId) -> bool {
        let (types, ty) = (self.types(), self.ty(argument));
        match self.vector(parameter) {
            Some(_) => self.vector(ty).is_some() && types.size(ty) == types.size(parameter),
            None => types.is_arithmetic(ty),
        }
    }

    /// The type of a token of a signature.
    fn signature_type(&mut self, token: &str, bits: u64) -> Option<TypeId> {
        let kind = TypeId::integer;
        let (letter, number) = token.split_at(1);
        let (element, size) = match letter {
            "b" => (TypeId::CHAR, 8),
            "B" => (kind(IntegerKind::UnsignedChar), 8),
            "w" => (kind(IntegerKind::Short), 16),
            "W" => (kind(IntegerKind::UnsignedShort), 16),
            "d" => (TypeId::INT, 32),
            "D" => (TypeId::UNSIGNED, 32),
            "q" => (kind(IntegerKind::LongLong), 64),
            "Q" => (kind(IntegerKind::UnsignedLongLong), 64),
            "f" => (TypeId::FLOAT, 32),
            "g" => (TypeId::DOUBLE, 64),
            "c" => return Some(TypeId::CHAR),
            "y" => return Some(kind(IntegerKind::UnsignedChar)),
            "s" => return Some(kind(IntegerKind::Short)),
            "h" => return Some(kind(IntegerKind::UnsignedShort)),
            "i" => return Some(TypeId::INT),
            "u" => return Some(TypeId::UNSIGNED),
            "l" => return Some(kind(IntegerKind::LongLong)),
            "m" => return Some(kind(IntegerKind::UnsignedLongLong)),
            "r" => return Some(TypeId::FLOAT),
            "e" => return Some(TypeId::DOUBLE),
            _ => return None,
        };
        let bits = if number.is_empty() { bits } else { number.parse().ok()? };
        Some(self.vector_of(element, bits / size))
    }

    /// The vector type with signed elements, as in the functions of gcc.
    fn signed_elements(&mut self, ty: TypeId) -> TypeId {
        let Some((element, lanes)) = self.vector(ty) else { return ty };
        let signed = match self.types().integer_kind(element) {
            Some(IntegerKind::UnsignedChar) => IntegerKind::Char,
            Some(IntegerKind::UnsignedShort) => IntegerKind::Short,
            Some(IntegerKind::UnsignedInt) => IntegerKind::Int,
            Some(IntegerKind::UnsignedLongLong) => IntegerKind::LongLong,
            _ => return ty,
        };
        self.vector_of(TypeId::integer(signed), lanes)
    }

    fn intrinsic_load(&mut self, ty: TypeId, arguments: &[ExprId], span: Span) -> Option<ExprId> {
        let &[pointer] = arguments else { return None };
        self.types().pointee(self.ty(pointer))?;
        let qualifiers = Qualifiers::NONE.with(Qualifier::Const);
        let target = self.program.types.pointer(QualType { ty, qualifiers });
        let pointer = self.convert(pointer, target);
        let place = self.place(PlaceKind::Deref(pointer), ty, qualifiers, span);
        Some(self.load(place))
    }

    fn intrinsic_store(&mut self, ty: TypeId, arguments: &[ExprId], span: Span) -> Option<ExprId> {
        let &[pointer, value] = arguments else { return None };
        self.types().pointee(self.ty(pointer))?;
        let target = self.program.types.pointer(ty);
        let pointer = self.convert(pointer, target);
        let value = self.assign_convert(value, ty, "argument passing", span);
        let place = self.place(PlaceKind::Deref(pointer), ty, Qualifiers::NONE, span);
        let stored = self.expr(ExprKind::Assign { place, value }, ty, span);
        Some(self.convert(stored, TypeId::VOID))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_function_has_one_row() {
        let mut names = BTreeSet::new();
        for (list, _, _) in TABLE {
            for name in list.split(' ') {
                assert!(names.insert(name), "{name} stands twice in the table");
                assert!(name.ends_with(['*', '+']) || name.contains(':'), "{name} has no width");
            }
        }
        assert!(FUNCTIONS.len() > names.len());
    }
}
