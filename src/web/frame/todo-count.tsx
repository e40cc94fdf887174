import { ListTodo } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import type { UserCounts } from '../../coordinator/planning/user-counts/schema.js'
import { patch, useRead } from '../api/use-read.js'
import { LinkButton } from '../kit/button.js'
import { useLive } from '../live/use-live.js'

const PATH = '/user_counts'

/** The number of pending to-dos of the user, as a link to them. */
export function TodoCount() {
  const { data, refetch } = useRead<UserCounts>(PATH)
  useLive(
    ['me'],
    { todos: ({ count }) => patch<UserCounts>(PATH, (counts) => ({ ...counts, todos: count })) },
    () => void refetch(),
  )
  const count = data?.todos ?? 0
  return (
    <LinkButton
      kind="ghost"
      icon={ListTodo}
      href={addressOf('home/todos', {})}
      aria-label={`To-dos: ${count}`}
    >
      {count || null}
    </LinkButton>
  )
}
