/** The variable of a job that asks its runner to hold it: `failure`, `always` or `never`. */
export const HOLD_VARIABLE = 'SWITCHYARD_HOLD'
