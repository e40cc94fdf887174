import { Select } from '../../kit/field.js'
import { type Period, PERIODS } from './periods.js'

/** Chooses the period of statistics. */
export function PeriodSelect({ period, onPeriod }: { period: Period; onPeriod: (value: string) => void }) {
  return (
    <Select
      hidesLabel
      label="Period"
      value={period.value}
      onInput={onPeriod}
      choices={PERIODS.map(({ value, label }) => ({ value, label }))}
    />
  )
}
