import { setFlagsFromString } from 'node:v8'

/**
 * Collects all garbage whenever the heap has grown by two fifths since the last time. By default, it may grow up to
 * fourfold: under load, what a request or a job leaves behind outlives the space for new objects, and would add up to
 * 150 MB. A job takes the same processor time with both.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=40')
}
