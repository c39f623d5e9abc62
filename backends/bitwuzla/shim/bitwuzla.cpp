// A C interface to the library of Bitwuzla that its authors publish for Python.
//
// The published extension module contains the whole library and exports its C++ interface, but
// comes without headers and without the C interface, and refers to symbols of the Python
// interpreter. This file is compiled to a shared library that depends on the extension module and
// supplies both: C functions over numbered terms, and the symbols of Python, none of which is ever
// called (the extension uses them only when Python imports it).
//
// The declarations below repeat the part of Bitwuzla's interface that is used. They are those of one
// version: `hb_version` names it, and the caller refuses every other one. Kinds of terms and
// options are looked up by name, so their numbers do not matter. Handles (Term, Sort) have the size
// of a pointer; a solver has a private representation, for which more room than it needs is
// allocated.
//
// Every function catches all exceptions: a failed call returns 0 (or a null pointer), and
// `hb_error` returns the text.

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace bzla {
class NodeManager;
}

namespace bitwuzla {

enum class Kind;
enum class Option;
enum class Result { UNKNOWN = 0, SAT = 10, UNSAT = 20 };
enum class RoundingMode { RNE = 0, RNA = 1, RTN = 2, RTP = 3, RTZ = 4 };

const char *version();

class Sort {
  public:
    Sort();
    ~Sort();
    Sort(const Sort &);
    Sort &operator=(const Sort &);
    Sort(Sort &&) noexcept;
    Sort &operator=(Sort &&) noexcept;
    bool is_bool() const;
    bool is_bv() const;
    bool is_fp() const;
    bool is_rm() const;
    bool is_array() const;
    uint64_t bv_size() const;
    uint64_t fp_exp_size() const;
    uint64_t fp_sig_size() const;

  private:
    void *d_type;
};

class Term {
  public:
    Term();
    ~Term();
    Term(const Term &);
    Term &operator=(const Term &);
    Term(Term &&) noexcept;
    Term &operator=(Term &&) noexcept;
    bool is_null() const;
    uint64_t id() const;
    Kind kind() const;
    Sort sort() const;
    size_t num_children() const;
    Term operator[](size_t index) const;
    std::vector<uint64_t> indices() const;
    std::string str(uint8_t base) const;
    template <class T> T value(uint8_t base) const;

  private:
    void *d_node;
};

template <> bool Term::value(uint8_t base) const;
template <> RoundingMode Term::value(uint8_t base) const;
template <> std::string Term::value(uint8_t base) const;
template <> std::tuple<std::string, std::string, std::string> Term::value(uint8_t base) const;

class Options {
  public:
    Options();
    ~Options();
    void set(const std::string &name, const std::string &value);

  private:
    void *d_options;
};

class Terminator {
  public:
    virtual ~Terminator();
    virtual bool terminate() = 0;
};

class TermManager {
  public:
    TermManager();
    ~TermManager();
    TermManager(const TermManager &) = delete;
    Sort mk_array_sort(const Sort &index, const Sort &element);
    Sort mk_bool_sort();
    Sort mk_bv_sort(uint64_t size);
    Sort mk_fp_sort(uint64_t exponent, uint64_t significand);
    Sort mk_fun_sort(const std::vector<Sort> &domain, const Sort &codomain);
    Sort mk_rm_sort();
    Term mk_true();
    Term mk_false();
    Term mk_bv_value(const Sort &sort, const std::string &value, uint8_t base);
    Term mk_bv_value_uint64(const Sort &sort, uint64_t value);
    Term mk_fp_value(const Term &sign, const Term &exponent, const Term &significand);
    Term mk_fp_value(const Sort &sort, const Term &mode, const std::string &numerator,
                     const std::string &denominator);
    Term mk_const_array(const Sort &sort, const Term &element);
    Term mk_rm_value(RoundingMode mode);
    Term mk_term(Kind kind, const std::vector<Term> &children, const std::vector<uint64_t> &indices);
    Term mk_const(const Sort &sort, const std::optional<std::string> &name);
    Term mk_var(const Sort &sort, const std::optional<std::string> &name);

  private:
    void *d_nm;
};

class Bitwuzla {
  public:
    Bitwuzla(TermManager &manager, const Options &options);
    ~Bitwuzla();
    Bitwuzla(const Bitwuzla &) = delete;
    void configure_terminator(Terminator *terminator);
    void push(uint32_t levels);
    void pop(uint32_t levels);
    void assert_formula(const Term &term);
    std::vector<Term> get_unsat_assumptions();
    Result check_sat(const std::vector<Term> &assumptions);
    Term get_value(const Term &term);
    std::vector<Term> get_interpolants(const std::vector<std::vector<Term>> &parts);

  private:
    alignas(16) unsigned char d_private[4096];
};

} // namespace bitwuzla

namespace std {
string to_string(bitwuzla::Kind kind);
}

using namespace bitwuzla;

namespace {

thread_local std::string error_text;
thread_local int error_kind = 0;

enum { ERROR_UNSUPPORTED_OR_MISUSE = 1, ERROR_MEMORY = 2 };

// Runs `work`; returns its result, or `failed` after an exception.
template <class R, class F> R guarded(R failed, F work) {
    try {
        return work();
    } catch (const std::bad_alloc &) {
        error_kind = ERROR_MEMORY;
        error_text = "out of memory";
    } catch (const std::exception &error) {
        error_kind = ERROR_UNSUPPORTED_OR_MISUSE;
        error_text = error.what();
    } catch (...) {
        error_kind = ERROR_UNSUPPORTED_OR_MISUSE;
        error_text = "unknown exception";
    }
    return failed;
}

class Flag : public Terminator {
  public:
    Flag(bool (*stop)(const void *), const void *data) : stop(stop), data(data) {}
    bool terminate() override { return stop(data); }

  private:
    bool (*stop)(const void *);
    const void *data;
};

} // namespace

// Terms and sorts are numbered from 1, in the order of their creation.
struct Session {
    TermManager manager;
    std::vector<Term> terms;
    std::vector<Sort> sorts;
    std::string text;

    uint32_t add(Term &&term) {
        if (terms.size() >= UINT32_MAX - 1)
            throw std::bad_alloc();
        terms.push_back(std::move(term));
        return (uint32_t)terms.size();
    }
    uint32_t add(Sort &&sort) {
        sorts.push_back(std::move(sort));
        return (uint32_t)sorts.size();
    }
    const Term &term(uint32_t number) const { return terms.at((size_t)number - 1); }
    const Sort &sort(uint32_t number) const { return sorts.at((size_t)number - 1); }
    std::vector<Term> all(const uint32_t *numbers, size_t count) const {
        std::vector<Term> found;
        found.reserve(count);
        for (size_t i = 0; i < count; i++)
            found.push_back(term(numbers[i]));
        return found;
    }
};

struct Solver {
    Session &session;
    Flag flag;
    Bitwuzla solver;
    std::vector<Term> found;

    Solver(Session &session, const Options &options, bool (*stop)(const void *), const void *data)
        : session(session), flag(stop, data), solver(session.manager, options) {
        solver.configure_terminator(&flag);
    }
};

extern "C" {

const char *hb_version() { return version(); }
const char *hb_error(int *kind) {
    *kind = error_kind;
    return error_text.c_str();
}

// The number of the kind with this name, or -1.
int64_t hb_kind(const char *name) {
    for (int number = 0; number < 200; number++) {
        std::string found = guarded(std::string(), [&] { return std::to_string((Kind)number); });
        if (found.empty())
            break;
        if (found == name)
            return number;
    }
    return -1;
}

Session *hb_session() {
    return guarded((Session *)nullptr, [] { return new Session(); });
}
void hb_session_free(Session *session) { delete session; }

uint32_t hb_sort_bool(Session *s) {
    return guarded(0u, [&] { return s->add(s->manager.mk_bool_sort()); });
}
uint32_t hb_sort_mode(Session *s) {
    return guarded(0u, [&] { return s->add(s->manager.mk_rm_sort()); });
}
uint32_t hb_sort_bits(Session *s, uint64_t width) {
    return guarded(0u, [&] { return s->add(s->manager.mk_bv_sort(width)); });
}
uint32_t hb_sort_float(Session *s, uint64_t exponent, uint64_t significand) {
    return guarded(0u, [&] { return s->add(s->manager.mk_fp_sort(exponent, significand)); });
}
uint32_t hb_sort_array(Session *s, uint32_t index, uint32_t element) {
    return guarded(0u, [&] {
        return s->add(s->manager.mk_array_sort(s->sort(index), s->sort(element)));
    });
}
uint32_t hb_sort_function(Session *s, const uint32_t *domain, size_t arity, uint32_t range) {
    return guarded(0u, [&] {
        std::vector<Sort> sorts;
        for (size_t i = 0; i < arity; i++)
            sorts.push_back(s->sort(domain[i]));
        return s->add(s->manager.mk_fun_sort(sorts, s->sort(range)));
    });
}

uint32_t hb_truth(Session *s, int value) {
    return guarded(0u, [&] { return s->add(value ? s->manager.mk_true() : s->manager.mk_false()); });
}
uint32_t hb_bits(Session *s, uint32_t sort, uint64_t value) {
    return guarded(0u, [&] { return s->add(s->manager.mk_bv_value_uint64(s->sort(sort), value)); });
}
uint32_t hb_big_bits(Session *s, uint32_t sort, const char *digits) {
    return guarded(0u, [&] { return s->add(s->manager.mk_bv_value(s->sort(sort), digits, 2)); });
}
uint32_t hb_float(Session *s, uint32_t sign, uint32_t exponent, uint32_t significand) {
    return guarded(0u, [&] {
        return s->add(s->manager.mk_fp_value(s->term(sign), s->term(exponent), s->term(significand)));
    });
}
uint32_t hb_float_of_rational(Session *s, uint32_t sort, uint32_t mode, const char *numerator,
                              const char *denominator) {
    return guarded(0u, [&] {
        return s->add(s->manager.mk_fp_value(s->sort(sort), s->term(mode), std::string(numerator),
                                             std::string(denominator)));
    });
}
uint32_t hb_mode(Session *s, int mode) {
    return guarded(0u, [&] { return s->add(s->manager.mk_rm_value((RoundingMode)mode)); });
}
uint32_t hb_const_array(Session *s, uint32_t sort, uint32_t element) {
    return guarded(0u, [&] { return s->add(s->manager.mk_const_array(s->sort(sort), s->term(element))); });
}
uint32_t hb_constant(Session *s, uint32_t sort, const char *name) {
    return guarded(0u, [&] { return s->add(s->manager.mk_const(s->sort(sort), std::string(name))); });
}
uint32_t hb_variable(Session *s, uint32_t sort, const char *name) {
    return guarded(0u, [&] { return s->add(s->manager.mk_var(s->sort(sort), std::string(name))); });
}
uint32_t hb_term(Session *s, int kind, const uint32_t *children, size_t count, const uint64_t *indices,
                 size_t index_count) {
    return guarded(0u, [&] {
        std::vector<uint64_t> list(indices, indices + index_count);
        return s->add(s->manager.mk_term((Kind)kind, s->all(children, count), list));
    });
}

// The structure of terms.
uint32_t hb_mark(Session *s) { return (uint32_t)s->terms.size(); }
// Forgets the terms that were created after `mark`.
void hb_release(Session *s, uint32_t mark) {
    while (s->terms.size() > mark)
        s->terms.pop_back();
}
uint64_t hb_id(Session *s, uint32_t term) {
    return guarded((uint64_t)0, [&] { return s->term(term).id(); });
}
int hb_kind_of(Session *s, uint32_t term) {
    return guarded(-1, [&] { return (int)s->term(term).kind(); });
}
size_t hb_arity(Session *s, uint32_t term) {
    return guarded((size_t)0, [&] { return s->term(term).num_children(); });
}
uint32_t hb_child(Session *s, uint32_t term, size_t index) {
    return guarded(0u, [&] { return s->add(s->term(term)[index]); });
}
// The indices of an operator; returns their number, which is at most `room`.
size_t hb_indices(Session *s, uint32_t term, uint64_t *out, size_t room) {
    return guarded((size_t)0, [&] {
        std::vector<uint64_t> found = s->term(term).indices();
        size_t count = found.size() < room ? found.size() : room;
        for (size_t i = 0; i < count; i++)
            out[i] = found[i];
        return count;
    });
}
// The sort of a term: 'b' Boolean, 'v' bit vector of `out[0]` bits, 'f' float with `out[0]` and
// `out[1]` bits, 'm' rounding mode, 'a' array, '?' others.
int hb_sort_of(Session *s, uint32_t term, uint64_t *out) {
    return guarded((int)'?', [&] {
        Sort sort = s->term(term).sort();
        if (sort.is_bool())
            return (int)'b';
        if (sort.is_bv()) {
            out[0] = sort.bv_size();
            return (int)'v';
        }
        if (sort.is_fp()) {
            out[0] = sort.fp_exp_size();
            out[1] = sort.fp_sig_size();
            return (int)'f';
        }
        return sort.is_rm() ? (int)'m' : sort.is_array() ? (int)'a' : (int)'?';
    });
}
// A constant as text, valid until the next call with this session: binary digits of Booleans (one
// digit), bit vectors and patterns of floats, the number of a rounding mode.
const char *hb_value_text(Session *s, uint32_t term) {
    return guarded((const char *)nullptr, [&] {
        const Term &value = s->term(term);
        Sort sort = value.sort();
        if (sort.is_bool()) {
            s->text = value.value<bool>(2) ? "1" : "0";
        } else if (sort.is_bv()) {
            s->text = value.value<std::string>(2);
        } else if (sort.is_fp()) {
            auto parts = value.value<std::tuple<std::string, std::string, std::string>>(2);
            s->text = std::get<0>(parts) + std::get<1>(parts) + std::get<2>(parts);
        } else if (sort.is_rm()) {
            s->text = std::to_string((int)value.value<RoundingMode>(2));
        } else {
            throw std::invalid_argument("not a constant");
        }
        return s->text.c_str();
    });
}
const char *hb_show(Session *s, uint32_t term) {
    return guarded("?", [&] {
        s->text = s->term(term).str(2);
        if (s->text.size() > 200)
            s->text.resize(200);
        return s->text.c_str();
    });
}

// Solvers. `options` are pairs of names and values.
Solver *hb_solver(Session *s, const char *const *options, size_t pairs, bool (*stop)(const void *),
                  const void *data) {
    return guarded((Solver *)nullptr, [&] {
        Options chosen;
        for (size_t i = 0; i < pairs; i++)
            chosen.set(std::string(options[2 * i]), std::string(options[2 * i + 1]));
        return new Solver(*s, chosen, stop, data);
    });
}
void hb_solver_free(Solver *solver) { delete solver; }
int hb_push(Solver *solver) {
    return guarded(0, [&] { return solver->solver.push(1), 1; });
}
int hb_pop(Solver *solver) {
    return guarded(0, [&] { return solver->solver.pop(1), 1; });
}
int hb_assert(Solver *solver, uint32_t formula) {
    return guarded(0, [&] { return solver->solver.assert_formula(solver->session.term(formula)), 1; });
}
// 10: satisfiable, 20: unsatisfiable, 1: unknown, 0: an error.
int hb_check(Solver *solver, const uint32_t *assumptions, size_t count) {
    return guarded(0, [&] {
        Result result = solver->solver.check_sat(solver->session.all(assumptions, count));
        return result == Result::SAT ? 10 : result == Result::UNSAT ? 20 : 1;
    });
}
uint32_t hb_value(Solver *solver, uint32_t term) {
    return guarded(0u, [&] {
        return solver->session.add(solver->solver.get_value(solver->session.term(term)));
    });
}
// Identifiers of the assumptions in the core; returns one more than their number, or 0.
size_t hb_core(Solver *solver, uint64_t *out, size_t room) {
    return guarded((size_t)0, [&] {
        std::vector<Term> core = solver->solver.get_unsat_assumptions();
        if (core.size() > room)
            throw std::logic_error("the core has more elements than the assumptions");
        for (size_t i = 0; i < core.size(); i++)
            out[i] = core[i].id();
        return core.size() + 1;
    });
}
// Interpolants of the sequence of asserted formulas `parts`, without the last one, in `out`.
int hb_interpolants(Solver *solver, const uint32_t *parts, size_t count, uint32_t *out) {
    return guarded(0, [&] {
        std::vector<std::vector<Term>> lists;
        for (size_t i = 0; i < count; i++)
            lists.push_back({solver->session.term(parts[i])});
        std::vector<Term> found = solver->solver.get_interpolants(lists);
        if (found.size() != count)
            throw std::logic_error("the number of interpolants differs from that of the parts");
        for (size_t i = 0; i < count; i++)
            out[i] = solver->session.add(std::move(found[i]));
        return 1;
    });
}
} // extern "C"
