import { ApiError } from '../../../src/coordinator/http/errors.js'

/**
 * The responses to concurrent deletions of the same objects, in different orders, while `task` resumes what was cut
 * off: 'removed', or the error. Internal errors are included as thrown.
 */
export async function removedBySeveral(
  ids: number[],
  remove: (id: number) => Promise<void>,
  task: () => Promise<void>,
): Promise<Set<unknown>> {
  const responses = new Set<unknown>()
  const removeEach = async (inOrder: number[]) => {
    for (const id of inOrder) responses.add(await responseTo(remove(id)))
  }
  const clients = [ids, ids.toReversed(), ids].map(removeEach)
  for (let turn = 0; turn < 10; turn++) await task()
  await Promise.all(clients)
  return responses
}

function responseTo(removal: Promise<void>): Promise<unknown> {
  return removal.then(
    () => 'removed',
    (error: unknown) => (error instanceof ApiError ? error.message : error),
  )
}
