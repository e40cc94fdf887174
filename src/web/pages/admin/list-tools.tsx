import { useSearch } from '../../frame/location.js'
import { Select } from '../../kit/field.js'
import { SearchField } from '../../kit/search-field.js'
import styles from './lists.module.css'

interface ListToolsProps {
  /** "Find groups". */
  label: string
  orders: readonly { value: string; label: string }[]
  order: string
}

/** Searches and orders a list of the instance, by the query of the address. */
export function ListTools({ label, orders, order }: ListToolsProps) {
  const [query, setQuery] = useSearch()
  return (
    <div class={styles['tools']}>
      <SearchField
        label={label}
        placeholder="Name or path"
        value={query.get('search') ?? ''}
        onSearch={(search) => setQuery({ search })}
      />
      <Select
        hidesLabel
        label="Order"
        value={order}
        onInput={(sort) => setQuery({ sort })}
        choices={orders.map((choice) => ({ value: choice.value, label: choice.label }))}
      />
    </div>
  )
}
