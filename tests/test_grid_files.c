/* Tables of results as files: complete or not at all, and what others read in them. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grid.h"
#include "grid_shown.h"

/* An empty folder for each test. */
static int make_folder(void **state) {
    char *path = strdup(P_tmpdir "/test_grid.XXXXXX");
    *state = path;
    return path && mkdtemp(path) && chmod(path, 0755) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    free(*state);
    return system(command) == 0 ? 0 : -1;
}

static const char *in_folder(const char *folder, const char *name, char path[256]) {
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static void assert_file(const char *folder, const char *name, const char *expected) {
    char path[256], text[4096];
    FILE *file = fopen(in_folder(folder, name, path), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[256];
    FILE *file = fopen(in_folder(folder, name, path), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void write_old_files(const char *folder) {
    write_file(folder, "table1.json", "old json");
    write_file(folder, "table1.md", "old md");
    write_file(folder, "table1.csv", "old csv");
}

static size_t files_in(const char *folder) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    assert_true(count >= 2);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return (size_t)count - 2; /* . and .. */
}

static void assert_only_old_files(const char *folder) {
    assert_file(folder, "table1.json", "old json");
    assert_file(folder, "table1.md", "old md");
    assert_file(folder, "table1.csv", "old csv");
    assert_int_equal(files_in(folder), 3);
}

/* One line that begins with the path. */
static void assert_save_fails(grid *g, const char *folder, const char *path, const char *reason) {
    assert_false(grid_save(g, folder));
    assert_false(grid_ok(g));
    const char *error = grid_error(g);
    if (strncmp(error, path, strlen(path)) != 0 || !strstr(error, reason) || strchr(error, '\n'))
        fail_msg("wanted '%s: ... %s', got '%s'", path, reason, error);
}

static void save_replaces_all_three_files(void **state) {
    const char *folder = *state;
    write_old_files(folder);
    grid *g = small_grid();
    assert_true(grid_save(g, folder));
    assert_true(grid_ok(g));
    assert_int_equal(files_in(folder), 3);
    const struct {
        const char *name;
        print_function *print;
    } files[] = {{"table1.json", grid_print_json},
                 {"table1.md", grid_print_markdown},
                 {"table1.csv", grid_print_csv}};
    for (size_t i = 0; i < 3; i++) {
        char *text = shown(g, files[i].print);
        assert_file(folder, files[i].name, text);
        free(text);
    }
    grid_destroy(g);
}

static void save_makes_the_last_folder_only(void **state) {
    char path[256], deep[300];
    grid *g = small_grid();
    in_folder(*state, "new", path);
    snprintf(deep, sizeof deep, "%s/deep", path);
    assert_save_fails(g, deep, deep, "No such file");
    assert_int_equal(files_in(*state), 0);
    assert_true(grid_save(g, path)); /* and the failure is forgotten */
    assert_null(grid_error(g));
    assert_int_equal(files_in(path), 3);
    grid_destroy(g);
}

static void save_refuses_what_is_not_a_folder(void **state) {
    char path[256];
    grid *g = small_grid();
    write_file(*state, "file", "kept");
    in_folder(*state, "file", path);
    assert_save_fails(g, path, path, "Not a directory");
    assert_file(*state, "file", "kept");
    assert_int_equal(files_in(*state), 1);
    grid_destroy(g);
}

/* Root may write everywhere, so that the test becomes nobody meanwhile. */
static void save_keeps_old_files_when_the_folder_cannot_be_written(void **state) {
    const char *folder = *state;
    char path[256];
    grid *g = small_grid();
    write_old_files(folder);
    assert_int_equal(chmod(folder, 0555), 0);
    const bool root = geteuid() == 0;
    if (root)
        assert_int_equal(seteuid(65534), 0);
    const bool saved = grid_save(g, folder);
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_false(saved);
    snprintf(path, sizeof path, "%s/table1.json: Permission denied", folder);
    assert_string_equal(grid_error(g), path);
    assert_only_old_files(folder);
    grid_destroy(g);
}

/* The last of the three cannot be replaced: the first two are not either. */
static void save_keeps_all_old_files_when_one_is_in_the_way(void **state) {
    char path[256];
    grid *g = small_grid();
    write_file(*state, "table1.json", "old json");
    write_file(*state, "table1.md", "old md");
    assert_int_equal(mkdir(in_folder(*state, "table1.csv", path), 0755), 0);
    assert_save_fails(g, *state, path, "Is a directory");
    assert_file(*state, "table1.json", "old json");
    assert_file(*state, "table1.md", "old md");
    assert_int_equal(files_in(*state), 3);
    grid_destroy(g);
}

/* As a full disk would: files may not grow beyond a few bytes. */
static bool save_without_room(grid *g, const char *folder) {
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 64;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    const bool saved = grid_save(g, folder);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    return saved;
}

static void save_keeps_old_files_when_writing_breaks_off(void **state) {
    char path[256];
    grid *g = small_grid();
    write_old_files(*state);
    for (int i = 0; i < 3000; i++)
        grid_note(g, "Longer than any buffer of a stream.");
    assert_false(save_without_room(g, *state));
    assert_non_null(strstr(grid_error(g), "table1.json: "));
    assert_only_old_files(*state);
    assert_false(save_without_room(g, in_folder(*state, "new", path)));
    assert_only_old_files(*state); /* and no new folder */
    grid_destroy(g);
}

/* ---------------------------------------------------------------- JSON */

static const char check_in_python[] =
    "import csv, json, sys\n"
    "d = json.load(open(sys.argv[1] + '/table1.json', encoding='utf-8'))\n"
    "rows = list(csv.DictReader(open(sys.argv[1] + '/table1.csv', encoding='utf-8', newline='')))\n"
    "assert list(d) == ['schema', 'table', 'title', 'cpu', 'slug', 'compiler', 'commit', 'date', "
    "'rounds',\n"
    "                   'order', 'nothing', 'notes', 'columns', 'rows', 'findings'], list(d)\n"
    "assert d['table'] == 'table1' and d['rounds'] == 9 and d['order'] == 'cross'\n"
    "assert d['nothing'] is None\n"
    "assert d['notes'] == ['\\u00e9 100 %'] and d['findings'] == ['a \"b\"', 'c\\nd']\n"
    "assert d['columns'][1] == {'key': 'published_ms', 'heading': 'published', 'unit': 'ms'}\n"
    "keys = [c['key'] for c in d['columns']]\n"
    "assert len(d['rows']) == 4 and all(list(r) == keys for r in d['rows'])\n"
    "assert d['rows'][0] == {'method': 'PBER', 'published_ms': 1.65, 'n': 10}\n"
    "assert d['rows'][1]['n'] is None and d['rows'][2]['published_ms'] == 'interactive'\n"
    "as_text = [{k: '' if v is None else str(v) for k, v in r.items()} for r in d['rows']]\n"
    "assert rows == as_text, (rows, as_text)\n";

static void json_and_csv_are_read_by_others_and_agree(void **state) {
    char command[512];
    grid *g = small_grid();
    grid_row(g);
    grid_text(g, "method", "quote \" comma , break \n tab \t \xc3\xa9 \\");
    grid_note(g, "\xc3\xa9 100 %%");
    grid_finding(g, "a \"b\"");
    grid_finding(g, "c\nd");
    grid_extra_number(g, "rounds", 9);
    grid_extra_text(g, "order", "cross");
    grid_extra_number(g, "nothing", (double)NAN);
    assert_true(grid_save(g, *state));
    write_file(*state, "check.py", check_in_python);
    snprintf(command, sizeof command, "/usr/bin/python3 '%s/check.py' '%s'", (char *)*state,
             (char *)*state);
    assert_int_equal(system(command), 0);
    grid_destroy(g);
}

#define with_folder(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_folder(save_replaces_all_three_files),
        with_folder(save_makes_the_last_folder_only),
        with_folder(save_refuses_what_is_not_a_folder),
        with_folder(save_keeps_old_files_when_the_folder_cannot_be_written),
        with_folder(save_keeps_all_old_files_when_one_is_in_the_way),
        with_folder(save_keeps_old_files_when_writing_breaks_off),
        with_folder(json_and_csv_are_read_by_others_and_agree),
    };
    return cmocka_run_group_tests_name("grid files", tests, NULL, NULL);
}
