/**
 * The most a file may ask of the reader. Real files have 143 to 323 variables, rows of 560 to
 * 1,200 bytes (8,154 in live memory) and 7 to 600 kB of session text, so each limit leaves room.
 * Whatever a header claims, opening reads at most `MAX_OPEN_BYTES`, and the columns of a file are
 * together no larger than the file.
 */
export const MAX_VARIABLES = 4096

/** Bytes of one row. Bounds the smallest block that can be read. */
export const MAX_ROW_BYTES = 65_536

/** Bytes of session text that are looked at. */
export const MAX_SESSION_BYTES = 1_048_576

/** A whole day at 60 Hz and an hour more. Bounds whatever is computed a row, such as a preview. */
export const MAX_ROWS = 25 * 3600 * 60

/**
 * Rows of a file that is shown or judged. Real rows have 560 bytes or more, so 100 MB hold at most
 * 190,000; narrow exports hold 800,000. More would cost hundreds of megabytes of memory for a file nobody drove.
 */
export const MAX_PREVIEW_ROWS = 1_000_000

/**
 * Laps of a file, parts of laps included. A day of laps of 15 s has 5,760. Rows of which every second
 * one crosses the line would make a million, and an object and 300 bytes of answer of each.
 */
export const MAX_LAPS = 20_000

/** Rows a second. */
export const MAX_TICK_RATE_HZ = 1000

/** Bytes that opening a file may ask of its source: headers, variable headers, session text. */
export const MAX_OPEN_BYTES = 144 + MAX_VARIABLES * 144 + MAX_SESSION_BYTES

/**
 * Bytes of one column. Keeps every index into a column, and the step past its end, within 31 bits,
 * which the loops that fill it rely on. The widest real one has 24 bytes a row, 130 MB in a whole day.
 */
export const MAX_COLUMN_BYTES = 2 ** 30
