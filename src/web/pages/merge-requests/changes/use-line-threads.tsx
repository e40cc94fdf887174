import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { Discussion } from '../../../../coordinator/planning/discussions/schema.js'
import type { Failure } from '../../../api/failure.js'
import { refresh } from '../../../api/use-read.js'
import { useWholeList } from '../../../api/use-whole-list.js'
import type { DiffEntry } from '../../../code/diff-files.js'
import type { LineNotes } from '../../../code/line-notes.js'
import { type LinePosition, positionKey } from '../../../code/line-positions.js'
import { CommentForm } from '../../../discussion/comment-form.js'
import { discussedPath, useDiscussionRights } from '../../../discussion/discussed.js'
import { Thread } from '../../../discussion/thread.js'
import { notify } from '../../../frame/notices.js'
import { useLive } from '../../../live/use-live.js'
import { discussedRequest } from '../discussed-request.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'
import { useSuggestions } from '../use-suggestions.js'
import { lineNumbers } from './line-numbers.js'
import styles from './line-threads.module.css'
import { useReview } from './use-review.js'

/** More threads are only listed in the overview. */
const MAX_PAGES = 20

export interface DiffRefs {
  base_sha: string
  start_sha: string
  head_sha: string
}

export interface LineThreads {
  notes: LineNotes
  /** Why threads are missing. */
  failure: Failure | undefined
  /** Why the comments of the review are missing. */
  reviewFailure: Failure | undefined
  /** What applies several suggested changes, and what sends the review. */
  bar: ComponentChildren
  /** The places of the threads that are not resolved, in the order of the changes. */
  open: LinePosition[]
  /** The place of a thread; undefined if it is not in these changes. */
  positionOf: (discussionId: string) => LinePosition | undefined
}

/**
 * The threads on the lines of a version of a merge request, and a form for another one.
 * @param refs the commits between which the changes are; undefined for changes that take no threads
 */
export function useLineThreads(
  shown: ShownMergeRequest,
  refs: DiffRefs | undefined,
  entries: readonly DiffEntry[],
): LineThreads {
  const { project, request, reload } = shown
  const of = discussedRequest(project, request)
  const rights = useDiscussionRights(of)
  const path = `${discussedPath(of)}/discussions`
  const list = useWholeList<Discussion>(`${path}?with_details=true&per_page=100`, MAX_PAGES)
  const readAgain = () => {
    void refresh(path)
    reload()
  }
  const suggestions = useSuggestions(readAgain)
  const review = useReview(shown, readAgain)
  const onChange = ({ id }: { id: number }) => {
    if (id === request.id) readAgain()
  }
  useLive([`merge-request/${of.id}`], { 'merge-request': onChange }, readAgain)
  // Kept here, because a row that is scrolled out of sight loses its state.
  const [drafted, setDrafted] = useState<LinePosition>()
  const placed = list.rows.flatMap((discussion) => {
    const place = refs && placeIn(discussion, refs)
    return place ? [{ discussion, place }] : []
  })
  const ofReview = review.drafts.flatMap((draft) => {
    const place = refs && linePosition(draft.position, refs)
    return place && draft.discussion_id === null ? [{ draft, place }] : []
  })
  const draftKey = drafted && positionKey(drafted)
  const start = (position: LinePosition) => {
    if (givenPosition(entries, position)) setDrafted(position)
    else notify('This line takes no comments: it is not in the changes.')
  }
  const notes: LineNotes = {
    isShown: drafted !== undefined || placed.length > 0 || ofReview.length > 0,
    below: (position) => {
      const key = positionKey(position)
      const threads = placed.filter(({ place }) => positionKey(place) === key)
      const own = ofReview.filter(({ place }) => positionKey(place) === key)
      if (threads.length === 0 && own.length === 0 && key !== draftKey) return null
      return (
        <div class={styles['threads']}>
          {threads.map(({ discussion }) => (
            <Thread
              key={discussion.id}
              of={of}
              rights={rights}
              discussion={discussion}
              onChanged={() => {
                review.reload()
                readAgain()
              }}
              below={suggestions.below}
              alternative={review.alternative(discussion.id)}
            />
          ))}
          {own.map(({ draft }) => review.show(draft))}
          {refs && key === draftKey && (
            <CommentForm
              of={of}
              name={`line ${key}`}
              label={`Comment on line ${position.line}${position.side === 'old' ? ' before the change' : ''}`}
              action="Start a thread"
              path={path}
              values={{ position: { ...refs, ...givenPosition(entries, position), position_type: 'text' } }}
              rows={3}
              takesFocus
              reason={rights.reason}
              alternative={review.alternative()}
              onSent={() => {
                setDrafted(undefined)
                review.reload()
                readAgain()
              }}
              onCancel={() => setDrafted(undefined)}
            />
          )}
        </div>
      )
    },
    start: rights.mayComment && refs ? start : undefined,
  }
  return {
    notes,
    failure: list.failure,
    reviewFailure: review.failure,
    bar: (
      <>
        {suggestions.bar}
        {review.bar}
      </>
    ),
    open: inOrder(
      entries,
      placed.filter(({ discussion }) => isOpen(discussion)).map(({ place }) => place),
    ),
    positionOf: (id) => placed.find(({ discussion }) => discussion.id === id)?.place,
  }
}

function isOpen({ notes }: Discussion): boolean {
  return notes.some(({ resolvable, resolved }) => resolvable && resolved !== true)
}

/** The line of these changes that a thread is about. */
function placeIn({ notes }: Discussion, refs: DiffRefs): LinePosition | undefined {
  const position = notes[0]?.position
  return position && linePosition(position, refs)
}

type Position = Partial<Record<'head_sha' | 'base_sha' | 'new_path' | 'old_path', string | null>> &
  Partial<Record<'new_line' | 'old_line', number | null>>

/** The line of these changes that a position in the API names; undefined for one of other changes. */
function linePosition(position: Position, { head_sha, base_sha }: DiffRefs): LinePosition | undefined {
  if (position.head_sha !== head_sha || position.base_sha !== base_sha) return undefined
  const { new_line: now, old_line: old, new_path, old_path } = position
  if (now && new_path) return { path: new_path, line: now, side: 'new' }
  return old && old_path ? { path: old_path, line: old, side: 'old' } : undefined
}

function inOrder(entries: readonly DiffEntry[], places: readonly LinePosition[]): LinePosition[] {
  const fileOf = (place: LinePosition) => entries.findIndex((entry) => isIn(entry, place))
  return places.toSorted((one, other) => fileOf(one) - fileOf(other) || one.line - other.line)
}

function isIn({ old_path, new_path }: DiffEntry, { path, side }: LinePosition): boolean {
  return (side === 'old' ? old_path : new_path) === path
}

/** A line as the API takes it; undefined if the changes do not have it. */
function givenPosition(entries: readonly DiffEntry[], position: LinePosition) {
  const entry = entries.find((each) => isIn(each, position))
  const numbers = entry && lineNumbers(entry, position)
  return numbers && { old_path: entry.old_path, new_path: entry.new_path, ...numbers }
}
