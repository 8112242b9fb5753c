/**
 * Limits of what a file may ask of the reader. Real files have 143 to 323 variables, rows of 560 to 1,200
 * bytes (8,154 in live memory) and 7 to 600 kB of session text, so each limit leaves room. Opening reads at
 * most `MAX_OPEN_BYTES`, whatever the header claims. All columns together are no larger than the file.
 */
export const MAX_VARIABLES = 4096

/** Bytes of one row. Bounds the smallest block that can be read. */
export const MAX_ROW_BYTES = 65_536

/** Bytes of session text that are read. */
export const MAX_SESSION_BYTES = 1_048_576

/** A whole day at 60 Hz plus an hour. Bounds everything that is computed for each row, such as a preview. */
export const MAX_ROWS = 25 * 3600 * 60

/**
 * Rows of a file that is shown or judged. Real rows have 560 bytes or more, so 100 MB hold at most 190,000;
 * narrow exports hold 800,000. More rows would cost hundreds of megabytes of memory.
 */
export const MAX_PREVIEW_ROWS = 1_000_000

/**
 * Laps of a file, parts of laps included. A day of 15 s laps has 5,760. A file that crosses the line in every
 * second row would have a million laps, each with an object and 300 bytes of answer.
 */
export const MAX_LAPS = 20_000

/** Bytes of a file that is sent to a server: 100 MB (D-17). A browser can read larger ones. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024

/** Rows a second. */
export const MAX_TICK_RATE_HZ = 1000

/** Bytes that opening a file may read from its source: headers, variable headers, session text. */
export const MAX_OPEN_BYTES = 144 + MAX_VARIABLES * 144 + MAX_SESSION_BYTES

/**
 * Bytes of one column. Holds every index into a column, and the step past its end, within 31 bits; the loops
 * that fill it rely on that. The widest real column has 24 bytes a row, 130 MB in a whole day.
 */
export const MAX_COLUMN_BYTES = 2 ** 30
