/* How the numbers of a grid read. */

#include "grid_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the number as it reads with that many digits: 9.996 with three is 10.0. */
static int exponent_of(double number, int digits) {
    char text[GRID_NUMBER_SIZE];
    snprintf(text, sizeof text, "%.*e", digits - 1, number);
    return atoi(strchr(text, 'e') + 1);
}

/* All digits before the point, whatever was asked for: 4821 as 4820 would look measured so. */
static void show_digits(double number, int digits, char text[GRID_NUMBER_SIZE]) {
    const int exponent = exponent_of(number, digits);
    if (exponent < -4 || exponent > 9)
        snprintf(text, GRID_NUMBER_SIZE, "%.*e", digits - 1, number);
    else
        snprintf(text, GRID_NUMBER_SIZE, "%.*f", exponent < digits ? digits - 1 - exponent : 0,
                 number);
}

static void show_decimals(double number, int decimals, char text[GRID_NUMBER_SIZE]) {
    if (fabs(number) >= 1e15) {
        snprintf(text, GRID_NUMBER_SIZE, "%.*e", decimals, number);
        return;
    }
    snprintf(text, GRID_NUMBER_SIZE, "%.*f", decimals, number);
    if (number != 0.0 && strtod(text, NULL) == 0.0)
        show_digits(number, 1, text);
}

static int within(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

void grid_number_shown(double number, grid_format format, char text[GRID_NUMBER_SIZE]) {
    if (format.show == GRID_SHOW_TEXT || format.show == GRID_SHOW_GIVEN)
        grid_number_exact(number, text);
    else if (format.show == GRID_SHOW_DECIMALS)
        show_decimals(number + 0.0, within(format.count, 0, 17), text); /* no -0 */
    else if (number != 0.0)
        show_digits(number, within(format.count, 1, 17), text);
    else
        snprintf(text, GRID_NUMBER_SIZE, "0"); /* which has no digit that counts */
}

/* Nine digits are more than any clock has, and identify every float32. Counts are exact. */
void grid_number_exact(double number, char text[GRID_NUMBER_SIZE]) {
    const bool whole = number == floor(number) && fabs(number) < 9007199254740992.0;
    snprintf(text, GRID_NUMBER_SIZE, whole ? "%.0f" : "%.9g", whole ? number + 0.0 : number);
}
