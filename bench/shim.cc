#include "shim.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

using benchmark::BenchmarkReporter;
using benchmark::ConsoleReporter;
using benchmark::Counter;
using benchmark::JSONReporter;

/* Google Benchmark's registry is one per process, and so is this. A reporter cannot keep it: with
 * aggregates only, the run that failed among several is not shown to it. */
bool &any_failed() {
    static bool failed = false;
    return failed;
}

void fail(benchmark::State &state, const std::string &why) {
    any_failed() = true;
    state.SkipWithError(why.c_str());
}

const char rate_name[] = "elem_iter/s";
const char time_name[] = "ns/elem_iter";
const char bound_name[] = "fma_bound_%";
const char operations_name[] = "ops/elem_iter";
const char bytes_name[] = "bytes/elem_iter";
const char *const counter_names[] = {rate_name, time_name, bound_name, operations_name, bytes_name};

/* Rates are per second of the CPU time that Google Benchmark itself measured and reports. */
void count(benchmark::State &state, const shim_benchmark &b, double bytes_per_item) {
    const Counter::Flags rate = Counter::kIsIterationInvariantRate;
    const auto inverse = static_cast<Counter::Flags>(rate | Counter::kInvert);
    state.counters[rate_name] = Counter(b.items_per_repeat, rate);
    state.counters[time_name] = Counter(1e-9 * b.items_per_repeat, inverse);
    state.counters[bytes_name] = Counter(bytes_per_item);
    if (b.operations_per_item > 0) {
        state.counters[operations_name] = Counter(b.operations_per_item);
    }
    if (b.bound_seconds_per_item > 0) {
        const double bound = b.bound_seconds_per_item * b.items_per_repeat;
        state.counters[bound_name] = Counter(100 * bound, rate);
    }
}

/* One batch of all iterations: the loop around the kernel is the caller's, not the library's. The
 * clock runs only between the first and the last call of KeepRunningBatch. */
void measure(benchmark::State &state, const shim_benchmark &b) {
    const char *error = b.prepare(b.context);
    if (error != nullptr) {
        fail(state, error);
        return;
    }
    while (state.KeepRunningBatch(state.max_iterations)) {
        b.body(b.context, static_cast<size_t>(state.max_iterations));
    }
    const double bytes = b.bytes_per_item(b.context);
    b.release(b.context);
    count(state, b, bytes);
}

/* Printed for the library's assertions, which Debian leaves on in an optimised build. They are
 * checked on entering and leaving a measurement, never between two iterations. */
const char debug_warning[] = "Library was built as DEBUG";
const char debug_truth[] = "Google Benchmark is optimised but has its assertions on; they run once "
                           "per measurement, not in the loop that is timed.";

void print_context(std::istream &lines, std::ostream &out) {
    for (std::string line; std::getline(lines, line);) {
        out << (line.find(debug_warning) == std::string::npos ? line : debug_truth) << '\n';
    }
    out.flush();
}

/* The names of our counters carry their units. Those that the console would add to rates are wrong
 * for an inverse ("1.6s" for 1.6 ns) and for a percentage. */
std::vector<BenchmarkReporter::Run> without_units(std::vector<BenchmarkReporter::Run> runs) {
    for (auto &run : runs) {
        for (auto &counter : run.counters) {
            counter.second.flags = Counter::kDefaults;
        }
    }
    return runs;
}

template <class Base>
class reporter : public Base {
  public:
    /* notes: where the context goes; nullptr: where the library sends it. */
    template <class... Arguments>
    explicit reporter(std::ostream *notes, Arguments... arguments)
        : Base(arguments...), notes_(notes) {
    }

    bool ReportContext(const BenchmarkReporter::Context &context) override {
        std::ostream &errors = this->GetErrorStream();
        std::stringstream text;
        this->SetErrorStream(&text);
        const bool go_on = Base::ReportContext(context);
        this->SetErrorStream(&errors);
        print_context(text, notes_ != nullptr ? *notes_ : errors);
        return go_on;
    }

    void ReportRuns(const std::vector<BenchmarkReporter::Run> &runs) override {
        Base::ReportRuns(without_units(runs));
    }

  private:
    std::ostream *notes_;
};

enum class kind { choice, seconds, repetitions, pairs, text };

struct flag {
    const char *name; /* without "--benchmark_" */
    kind takes;
    const char *accepts;
};

const char truth[] = "true|false|yes|no|on|off|1|0";

/* All flags of 1.7.1 but --v, which is for the library's own authors. */
const flag flags[] = {
    {"filter", kind::text, "REGEX"},
    {"list_tests", kind::choice, truth},
    {"min_time", kind::seconds, "SECONDS"},
    {"min_warmup_time", kind::seconds, "SECONDS"},
    {"repetitions", kind::repetitions, "1..1000000"},
    {"enable_random_interleaving", kind::choice, truth},
    {"report_aggregates_only", kind::choice, truth},
    {"display_aggregates_only", kind::choice, truth},
    {"format", kind::choice, "console|json|csv"},
    {"out", kind::text, "FILE"},
    {"out_format", kind::choice, "console|json|csv"},
    {"color", kind::choice, "auto|true|false|yes|no|on|off|1|0"},
    {"counters_tabular", kind::choice, truth},
    {"context", kind::pairs, "KEY=VALUE,..."},
    {"perf_counters", kind::text, "NAME,..."},
    {"time_unit", kind::choice, "ns|us|ms|s"},
};

bool is_one_of(const std::string &value, const std::string &choices) {
    return !value.empty() && value.find('|') == std::string::npos &&
           ("|" + choices + "|").find("|" + value + "|") != std::string::npos;
}

bool is_number(const std::string &value, double least, double most) {
    char *end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    return !value.empty() && *end == '\0' && number >= least && number <= most;
}

bool is_digits(const std::string &value) {
    return std::all_of(value.begin(), value.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

/* Checked here because the library prints its usage and exits with 0, or goes on with a default, or
 * aborts. */
bool is_acceptable(const flag &known, const std::string &value) {
    switch (known.takes) {
    case kind::choice:
        return is_one_of(value, known.accepts);
    case kind::seconds:
        return is_number(value, 0, 1e9);
    case kind::repetitions:
        return is_digits(value) && is_number(value, 1, 1e6);
    case kind::pairs:
        return value.find('=', 1) != std::string::npos && value[0] != '=';
    case kind::text:
        break;
    }
    return true;
}

std::string option_of(const flag &known) {
    return std::string("--benchmark_") + known.name;
}

/* The library reads its environment under this name. */
std::string variable_of(const flag &known) {
    std::string name = std::string("BENCHMARK_") + known.name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name;
}

bool is_true(const std::string &value) {
    return is_one_of(value, "true|yes|on|1");
}

std::string all_options() {
    std::string list;
    for (const flag &known : flags) {
        list += (list.empty() ? "" : ", ") + option_of(known);
    }
    return list;
}

class command_line {
  public:
    command_line(int argc, char **argv) : arguments_(argv + 1, argv + argc) {
    }

    /* What is wrong with it, or nothing. */
    std::string complaint() const {
        for (const flag &known : flags) {
            const char *value = std::getenv(variable_of(known).c_str());
            if (value != nullptr && !is_acceptable(known, value)) {
                return bad_value(variable_of(known), known, value);
            }
        }
        for (const std::string &argument : arguments_) {
            const std::string wrong = complaint_about(argument);
            if (!wrong.empty()) {
                return wrong;
            }
        }
        return "";
    }

    /* As the library takes it: the last argument, or the environment. */
    std::string value(const std::string &name, const std::string &otherwise) const {
        const flag known = {name.c_str(), kind::text, ""};
        const char *variable = std::getenv(variable_of(known).c_str());
        std::string result = variable != nullptr ? variable : otherwise;
        for (const std::string &argument : arguments_) {
            if (argument == option_of(known)) {
                result = "true";
            } else if (argument.rfind(option_of(known) + "=", 0) == 0) {
                result = argument.substr(option_of(known).size() + 1);
            }
        }
        return result;
    }

  private:
    static std::string bad_value(const std::string &where, const flag &known,
                                 const std::string &value) {
        return where + "=" + value + " is not understood; accepted: " + known.accepts;
    }

    static std::string complaint_about(const std::string &argument) {
        const size_t equals = argument.find('=');
        const std::string option = argument.substr(0, equals);
        const flag *known =
            std::find_if(std::begin(flags), std::end(flags),
                         [&](const flag &candidate) { return option_of(candidate) == option; });
        if (known == std::end(flags)) {
            return "unknown argument " + argument + "; accepted: " + all_options();
        }
        if (equals == std::string::npos) {
            return known->accepts == truth
                       ? ""
                       : option + " needs a value: " + option + "=" + known->accepts;
        }
        const std::string value = argument.substr(equals + 1);
        return is_acceptable(*known, value) ? "" : bad_value(option, *known, value);
    }

    std::vector<std::string> arguments_;
};

bool wants_colour(const command_line &line) {
    const std::string wish = line.value("color", "auto");
    if (wish != "auto") {
        return is_true(wish);
    }
    const char *terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string(terminal) != "dumb";
}

ConsoleReporter::OutputOptions console_options(const command_line &line, bool colour) {
    const bool tabular = is_true(line.value("counters_tabular", "false"));
    return static_cast<ConsoleReporter::OutputOptions>(
        (colour ? ConsoleReporter::OO_Color : ConsoleReporter::OO_None) |
        (tabular ? ConsoleReporter::OO_Tabular : ConsoleReporter::OO_None));
}

/* Upstream announces the end of its CSV reporter; while it is there, people use it. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* The library takes the columns from the first benchmark and aborts at a counter that this one did
 * not have, as when it was skipped. So it gets a first one with all counters, of which only the
 * header is kept. */
class csv_reporter : public reporter<benchmark::CSVReporter> {
  public:
    using reporter::reporter;

    void ReportRuns(const std::vector<BenchmarkReporter::Run> &runs) override {
        if (!has_header_) {
            has_header_ = true;
            write_header();
        }
        reporter::ReportRuns(runs);
    }

  private:
    void write_header() {
        BenchmarkReporter::Run complete;
        for (const char *name : counter_names) {
            complete.counters[name] = Counter();
        }
        std::ostream &out = GetOutputStream();
        std::ostringstream text;
        SetOutputStream(&text);
        reporter::ReportRuns({complete});
        SetOutputStream(&out);
        out << text.str().substr(0, text.str().find('\n') + 1);
    }

    bool has_header_ = false;
};

std::unique_ptr<BenchmarkReporter> make_csv_reporter(std::ostream *notes) {
    return std::make_unique<csv_reporter>(notes);
}

#pragma GCC diagnostic pop

std::unique_ptr<BenchmarkReporter> make_display(const command_line &line) {
    const std::string format = line.value("format", "console");
    if (format == "json") {
        return std::make_unique<reporter<JSONReporter>>(&std::cerr);
    }
    if (format == "csv") {
        return make_csv_reporter(&std::cerr);
    }
    return std::make_unique<reporter<ConsoleReporter>>(&std::cerr,
                                                       console_options(line, wants_colour(line)));
}

/* nullptr without --benchmark_out. In CSV the context goes nowhere: it would not be CSV. */
std::unique_ptr<BenchmarkReporter> make_file(const command_line &line, std::ostream *nowhere) {
    const std::string format = line.value("out_format", "json");
    if (line.value("out", "").empty()) {
        return nullptr;
    }
    if (format == "csv") {
        return make_csv_reporter(nowhere);
    }
    if (format == "console") {
        return std::make_unique<reporter<ConsoleReporter>>(nullptr, ConsoleReporter::OO_None);
    }
    return std::make_unique<reporter<JSONReporter>>(nowhere);
}

/* The library exits by itself on a file that it cannot open. Appending changes nothing in it. */
bool can_write(const std::string &path) {
    return path.empty() || std::ofstream(path, std::ios::app).is_open();
}

int complain(const char *program, const std::string &what) {
    std::cerr << program << ": " << what << std::endl;
    return 2;
}

int complain_of_filter(const char *program, const command_line &line, const std::string &details) {
    const std::string filter = "--benchmark_filter=" + line.value("filter", "");
    const size_t why = details.find("Could not compile");
    if (why != std::string::npos) {
        const std::string reason = details.substr(details.find(": ", why) + 2);
        return complain(program, filter + " is not a regular expression: " +
                                     reason.substr(0, reason.find('\n')));
    }
    return complain(program, filter + " matches no benchmark; --benchmark_list_tests lists them");
}

int run(char **argv, const command_line &line) {
    std::ostream nowhere(nullptr);
    std::ostringstream details;
    const auto display = make_display(line);
    const auto file = make_file(line, &nowhere);
    /* Its error stream is for the context, which goes to cerr by another way, and for what it says
     * when nothing matches, which takes more than the one line that we print. */
    display->SetErrorStream(&details);
    any_failed() = false;
    const size_t matched = benchmark::RunSpecifiedBenchmarks(display.get(), file.get());
    if (matched == 0) {
        return complain_of_filter(argv[0], line, details.str());
    }
    return any_failed() ? 1 : 0;
}

} // namespace

void shim_register(const shim_benchmark *benchmark) {
    const shim_benchmark b = *benchmark;
    benchmark::RegisterBenchmark(b.name, [b](benchmark::State &state) { measure(state, b); });
}

void shim_context(const char *key, const char *value) {
    benchmark::AddCustomContext(key, value);
}

int shim_run(int argc, char **argv) {
    const command_line line(argc, argv);
    const std::string wrong = line.complaint();
    if (!wrong.empty()) {
        return complain(argv[0], wrong);
    }
    const std::string out = line.value("out", "");
    if (!can_write(out)) {
        return complain(argv[0], "--benchmark_out: cannot write to '" + out + "'");
    }
    /* It moves the arguments about, which are the caller's. */
    std::vector<char *> copy(argv, argv + argc);
    copy.push_back(nullptr);
    benchmark::Initialize(&argc, copy.data());
    if (argc > 1) {
        return complain(argv[0], std::string("Google Benchmark does not take ") + copy[1]);
    }
    const int result = run(argv, line);
    benchmark::Shutdown();
    return result;
}
