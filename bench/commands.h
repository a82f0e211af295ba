/* The commands of rodbench. Each gets what follows its name and returns the exit code. */
#ifndef RODBENCH_COMMANDS_H
#define RODBENCH_COMMANDS_H

int command_info(int argc, char **argv);
int command_list(int argc, char **argv);
int command_run(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_table(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_render(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_tune(int argc, char **argv);

#endif
