/**
 * Byte layout of an `.ibt` file. Little-endian. Every section is found by its offset; their order
 * differs between files. Source: iRacing SDK header, `irsdk_defines.h`.
 *
 * Header, 112 bytes at 0
 *
 * | byte | type  | field                | meaning                                              |
 * |------|-------|----------------------|------------------------------------------------------|
 * | 0    | int32 | ver                  | 1 (2015) or 2                                        |
 * | 4    | int32 | status               | 1 while connected; not used                          |
 * | 8    | int32 | tickRate             | rows a second, 60                                    |
 * | 12   | int32 | sessionInfoUpdate    | not used                                             |
 * | 16   | int32 | sessionInfoLen       | bytes of session text, not always right              |
 * | 20   | int32 | sessionInfoOffset    |                                                      |
 * | 24   | int32 | numVars              |                                                      |
 * | 28   | int32 | varHeaderOffset      |                                                      |
 * | 32   | int32 | numBuf               | 1 on disk; 3 or 4 in a dump of the live memory       |
 * | 36   | int32 | bufLen               | bytes a row                                          |
 * | 52   | int32 | varBuf[0].bufOffset  | first row                                            |
 *
 * Sub-header, 32 bytes at 112, on disk only
 *
 * | byte | type   | field              | meaning                                               |
 * |------|--------|--------------------|-------------------------------------------------------|
 * | 112  | int64  | sessionStartDate   | seconds since 1970 UTC                                |
 * | 120  | double | sessionStartTime   | SessionTime of the first row                          |
 * | 128  | double | sessionEndTime     | SessionTime of the last row                           |
 * | 136  | int32  | sessionLapCount    | laps begun, not laps timed                            |
 * | 140  | int32  | sessionRecordCount | rows; 0 or too small after a crash                    |
 *
 * Variable header, 144 bytes each
 *
 * | byte | type     | field       | meaning                                                   |
 * |------|----------|-------------|-----------------------------------------------------------|
 * | 0    | int32    | type        | index into `VARIABLE_TYPES`                               |
 * | 4    | int32    | offset      | bytes from the start of a row                             |
 * | 8    | int32    | count       | values a row                                              |
 * | 12   | bool     | countAsTime | the values are sub-samples of one row                     |
 * | 16   | char[32] | name        | ends at the first NUL                                     |
 * | 48   | char[64] | desc        |                                                           |
 * | 112  | char[32] | unit        |                                                           |
 */
export const HEADER = {
  ver: 0,
  status: 4,
  tickRate: 8,
  sessionInfoUpdate: 12,
  sessionInfoLen: 16,
  sessionInfoOffset: 20,
  numVars: 24,
  varHeaderOffset: 28,
  numBuf: 32,
  bufLen: 36,
  bufOffset: 52,
} as const

export const HEADER_BYTES = 112

export const SUB_HEADER = {
  startDate: 112,
  startTime: 120,
  endTime: 128,
  lapCount: 136,
  recordCount: 140,
} as const

/** Header and sub-header. No section of a recorded file starts before this byte. */
export const HEADERS_BYTES = 144

export const VARIABLE_HEADER = {
  type: 0,
  offset: 4,
  count: 8,
  countAsTime: 12,
  name: 16,
  description: 48,
  unit: 112,
} as const

export const VARIABLE_HEADER_BYTES = 144

/** irsdk_VarType 0 to 5 and the bytes of one value. */
export const VARIABLE_TYPES = [
  { type: 'char', bytes: 1 },
  { type: 'bool', bytes: 1 },
  { type: 'int', bytes: 4 },
  { type: 'bitfield', bytes: 4 },
  { type: 'float', bytes: 4 },
  { type: 'double', bytes: 8 },
] as const
