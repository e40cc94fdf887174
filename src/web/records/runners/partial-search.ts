/** Jobs of a runner among which a name is searched for; no list counts more rows. */
const SEARCHED = '10,000'

/**
 * Says that a search does not look at all jobs of a runner; undefined if it does.
 * @param jobs number of jobs of the runner on the first page of the list without a search
 * @param total number of jobs of that list; undefined if they are too many to be counted
 */
export function partialSearchNote(jobs: number, total: number | undefined): string | undefined {
  if (jobs === 0 || total !== undefined) return undefined
  return `Only the newest ${SEARCHED} jobs of this runner are searched.`
}
