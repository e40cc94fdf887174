import { Input } from '../kit/field.js'

interface ExpiryFieldProps {
  value: string
  onInput: (value: string) => void
  /** What the date means. */
  about?: string
}

/** The date on which a token or a membership expires; empty if it does not. */
export function ExpiryField({
  value,
  onInput,
  about = 'The first day on which the token is invalid.',
}: ExpiryFieldProps) {
  return (
    <Input
      label="Expires on"
      type="date"
      value={value}
      onInput={onInput}
      help={`${about} Without a date, it does not expire.`}
    />
  )
}

/** The date as the parameter of the API; no parameter without a date. */
export function expiryDate(date: string): { expires_at?: string } {
  return date === '' ? {} : { expires_at: date }
}

/** The beginning of the date in UTC as the parameter of the API, where it is a time. */
export function expiryTime(date: string): { expires_at?: string } {
  return expiryDate(date && `${date}T00:00:00Z`)
}
