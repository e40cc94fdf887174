import { CopyButton } from '../kit/copy-button.js'
import { Field } from '../kit/field.js'
import styles from './copy-field.module.css'

/** A text to copy, such as an address. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <Field label={label}>
      {(ids) => (
        <span class={styles['field']}>
          <input
            {...ids}
            type="text"
            readOnly
            value={value}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton text={value} label={`Copy: ${label}`} />
        </span>
      )}
    </Field>
  )
}
