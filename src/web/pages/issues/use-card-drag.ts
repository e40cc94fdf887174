import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { ListedIssue } from '../../../coordinator/planning/issues/record-schema.js'
import type { ShownList } from './board-lists.js'

/** A card that is being dragged, and where it would go. */
export interface CardDrag {
  issue: ListedIssue
  /** Keys of lists. */
  from: string
  to: string
  /** Index among the other cards of the list. */
  index: number
  by: 'pointer' | 'keyboard'
}

interface DragOptions {
  board: { current: HTMLElement | null }
  lists: readonly ShownList[]
  /** The cards of a list, as they were when the drag began. */
  rowsOf: (key: string) => readonly ListedIssue[]
  mayMove: boolean
  onDrop: (drag: CardDrag) => void
  announce: (text: string) => void
}

/** Pixels that the pointer moves until a press is a drag. */
const THRESHOLD = 5
/** Pixels from an edge within which a drag scrolls, and pixels of a step. */
const EDGE = 48
const STEP = 12

/**
 * Drags cards with the mouse or a pen, and with keys: Space picks up the card in focus, arrow keys move it, Enter or
 * Space drops it, Escape puts it back. Fingers scroll; there is a menu for them.
 */
export function useCardDrag(options: DragOptions): CardDrag | undefined {
  const [drag, setDrag] = useState<CardDrag>()
  const now = useRef({ ...options, drag })
  now.current = { ...options, drag }
  const { board, mayMove } = options
  const dropped = useRef<{ id: number; list: string } | undefined>(undefined)
  const begins = (next: CardDrag) => {
    setDrag(next)
    if (next.by === 'keyboard')
      options.announce(
        `${wordsOf(next.issue)} is picked up. Arrow keys move it, Enter drops it, Escape puts it back.`,
      )
  }
  const goesTo = (to: string, index: number) => {
    const { drag: known, lists, rowsOf, announce } = now.current
    if (!known || (known.to === to && known.index === index)) return
    setDrag({ ...known, to, index })
    const others = rowsOf(to).filter(({ id }) => id !== known.issue.id)
    const name = lists.find(({ key }) => key === to)?.name ?? ''
    if (known.by === 'keyboard') announce(`${name}, ${index + 1} of ${others.length + 1}`)
  }
  const ends = (drops: boolean) => {
    const { drag: known, onDrop, announce } = now.current
    if (!known) return
    setDrag(undefined)
    if (known.by === 'keyboard') dropped.current = { id: known.issue.id, list: drops ? known.to : known.from }
    if (drops) onDrop(known)
    else announce(`${wordsOf(known.issue)} is back where it was.`)
  }
  const acts = useRef({ begins, goesTo, ends })
  acts.current = { begins, goesTo, ends }

  useEffect(() => {
    const root = board.current
    if (!root || !mayMove) return undefined
    const onPointerDown = (event: PointerEvent) => {
      acts.current.ends(false)
      const found = event.button === 0 && event.pointerType !== 'touch' ? cardAt(event.target) : undefined
      if (!found) return
      const stop = followPointer(event, root, {
        begin: () => {
          const place = placeIn(found, now.current.rowsOf)
          if (place) acts.current.begins({ ...place, by: 'pointer' })
          return place !== undefined
        },
        over: (to, index) => acts.current.goesTo(to, index),
        end: (drops) => acts.current.ends(drops),
      })
      abort.signal.addEventListener('abort', stop, { once: true })
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const { drag: known } = now.current
      const found =
        event.target instanceof Element && event.target.matches('[data-title]') ? event.target : null
      if (known) {
        if (onKeyWhileDragging(event.key, known)) event.preventDefault()
      } else if (event.key === ' ' && found) {
        event.preventDefault()
        const place = placeIn(cardAt(found), now.current.rowsOf)
        if (place) acts.current.begins({ ...place, by: 'keyboard' })
      }
    }
    /** Whether the key means something for the drag. */
    const onKeyWhileDragging = (key: string, known: CardDrag): boolean => {
      const { lists, rowsOf } = now.current
      const lengthOf = (list: string) => rowsOf(list).filter(({ id }) => id !== known.issue.id).length
      const at = lists.findIndex((list) => list.key === known.to)
      const beside = { ArrowLeft: lists[at - 1], ArrowRight: lists[at + 1] }[key]
      const step = { ArrowUp: -1, ArrowDown: 1 }[key]
      if (key === 'Escape') acts.current.ends(false)
      else if (known.by === 'pointer') return key !== 'Tab'
      else if (key === 'Enter' || key === ' ') acts.current.ends(true)
      else if (beside) acts.current.goesTo(beside.key, Math.min(known.index, lengthOf(beside.key)))
      else if (step !== undefined)
        acts.current.goesTo(known.to, Math.max(0, Math.min(lengthOf(known.to), known.index + step)))
      return true
    }
    const abort = new AbortController()
    root.addEventListener('pointerdown', onPointerDown, abort)
    // While a card is dragged, no key reaches the card or the page.
    window.addEventListener('keydown', onKeyDown, { capture: true, signal: abort.signal })
    return () => abort.abort()
  }, [board, mayMove])

  // A card that goes to another list is another element there.
  useLayoutEffect(() => {
    const found = drag?.by === 'keyboard' ? { id: drag.issue.id, list: drag.to } : dropped.current
    dropped.current = undefined
    if (found) focusCard(board.current, found.list, found.id)
  }, [board, drag])
  return drag
}

/** Gives the focus to the card of an issue in a list. */
export function focusCard(board: HTMLElement | null, list: string, id: number): void {
  const card = board?.querySelector(`[data-list="${list}"] [data-card="${id}"]`)
  const title = card?.querySelector<HTMLElement>('[data-title]')
  title?.focus()
  title?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** The number and the title of an issue. */
export function wordsOf({ references, title }: ListedIssue): string {
  return `${references.relative} ${title}`
}

function cardAt(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element) || target.closest('button, [popover]')) return undefined
  return target.closest<HTMLElement>('[data-card]') ?? undefined
}

function placeIn(
  card: HTMLElement | undefined,
  rowsOf: DragOptions['rowsOf'],
): Omit<CardDrag, 'by'> | undefined {
  const key = card?.closest<HTMLElement>('[data-list]')?.dataset['list']
  if (!card || key === undefined) return undefined
  const index = rowsOf(key).findIndex(({ id }) => String(id) === card.dataset['card'])
  const issue = rowsOf(key)[index]
  return issue && { issue, from: key, to: key, index }
}

interface PointerActs {
  /** Returns whether something can be dragged. */
  begin: () => boolean
  over: (list: string, index: number) => void
  end: (drops: boolean) => void
}

/** Follows the pointer from a press on a card to its release. Returns what ends it early. */
function followPointer(press: PointerEvent, board: HTMLElement, acts: PointerActs): () => void {
  const card = cardAt(press.target)
  const listening = new AbortController()
  let ghost: HTMLElement | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let last = press
  const stop = () => {
    listening.abort()
    clearInterval(timer)
    ghost?.remove()
  }
  const show = () => {
    if (!ghost) return
    ghost.style.transform = `translate(${last.clientX - press.clientX}px, ${last.clientY - press.clientY}px)`
    const list = listUnder(board, last)
    if (list) acts.over(list.dataset['list'] ?? '', indexUnder(list, last.clientY))
  }
  const onMove = (event: PointerEvent) => {
    last = event
    if (!ghost && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < THRESHOLD) return
    event.preventDefault()
    if (!ghost) {
      if (!card || !acts.begin()) {
        stop()
        return
      }
      ghost = ghostOf(card)
      timer = setInterval(() => {
        if (scrollAt(board, last)) show()
      }, 16)
    }
    show()
  }
  const onEnd = (event: Event) => {
    const hasMoved = ghost !== undefined
    stop()
    if (!hasMoved) return
    if (event.type === 'pointerup') ignoreNextClick()
    acts.end(event.type === 'pointerup')
  }
  const options = { signal: listening.signal }
  window.addEventListener('pointermove', onMove, options)
  window.addEventListener('pointerup', onEnd, options)
  window.addEventListener('pointercancel', onEnd, options)
  window.addEventListener('blur', onEnd, options)
  window.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Escape') stop()
    },
    { ...options, capture: true },
  )
  return stop
}

/** The list below or above the pointer, also where it has no cards. */
function listUnder(board: HTMLElement, { clientX }: PointerEvent): HTMLElement | undefined {
  return [...board.querySelectorAll<HTMLElement>('[data-list]')].find((list) => {
    const { left, right } = list.getBoundingClientRect()
    return clientX >= left && clientX <= right
  })
}

function indexUnder(list: HTMLElement, y: number): number {
  const cards = [...list.querySelectorAll('[data-card]:not([data-lifted])')]
  return cards.filter((card) => {
    const { top, height } = card.getBoundingClientRect()
    return top + height / 2 < y
  }).length
}

/** A picture of the card that follows the pointer. */
function ghostOf(card: HTMLElement): HTMLElement {
  const { left, top, width } = card.getBoundingClientRect()
  const ghost = card.cloneNode(true) as HTMLElement
  for (const part of ghost.querySelectorAll('button, [popover]')) part.remove()
  delete ghost.dataset['card']
  ghost.dataset['ghost'] = ''
  ghost.ariaHidden = 'true'
  ghost.inert = true
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
  document.body.append(ghost)
  return ghost
}

/** Scrolls the board and the list near the edge at which the pointer is. Returns whether it is at one. */
function scrollAt(board: HTMLElement, pointer: PointerEvent): boolean {
  const around = board.getBoundingClientRect()
  const x = stepAt(pointer.clientX, around.left, around.right)
  const cards = listUnder(board, pointer)?.querySelector<HTMLElement>('[data-cards]')
  const inside = cards?.getBoundingClientRect()
  const y = inside ? stepAt(pointer.clientY, inside.top, inside.bottom) : 0
  board.scrollBy({ left: x })
  cards?.scrollBy({ top: y })
  return x !== 0 || y !== 0
}

function stepAt(position: number, from: number, to: number): number {
  if (position < from + EDGE) return -STEP
  return position > to - EDGE ? STEP : 0
}

/** The release of a card over its link is no click on it. */
function ignoreNextClick(): void {
  const onClick = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', onClick, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', onClick, { capture: true }))
}
