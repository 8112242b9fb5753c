import type { LapRole } from '../lap-series.ts'

/**
 * The cars from above, in pixels around their middle, facing right. The driver's is solid with open wheels. The
 * reference's is a closed outline, and larger, so that both are visible if they are at one place. So nobody needs
 * colours to distinguish them.
 */
export const CAR_SHAPES: Readonly<Record<LapRole, string>> = {
  lap:
    'M14 0 10 1.6 4 2 1 3.6H-7L-10 2.4H-13V-2.4H-10L-7-3.6H1L4-2 10-1.6Z' +
    'M11.5-5.5H13.5V5.5H11.5ZM5 3H9.5V6.5H5ZM5-6.5H9.5V-3H5ZM-12 3.2H-6V7H-12ZM-12-7H-6V-3.2H-12Z',
  reference:
    'M17 0C17 5 14.5 9 10 9H-13C-16 9-17 7-17 5V-5C-17-7-16-9-13-9H10C14.5-9 17-5 17 0Z' +
    'M8-6C9.5-2.5 9.5 2.5 8 6M-10-6V6',
}

/** Metres that a pixel of a shape is long if a car is drawn at its true size. */
export const CAR_PIXEL_M = 0.16
