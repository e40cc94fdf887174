import {
  ArrowDownToLine,
  ChevronDown,
  ChevronsDownUp,
  ChevronUp,
  CircleAlert,
  Clock,
  ListTree,
  Maximize2,
  Search,
  TextWrap,
  X,
} from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'

import { Button, IconButton } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { classNames } from '../kit/class-names.js'
import { Icon } from '../kit/icon.js'
import box from '../kit/input-box.module.css'
import { Menu, MenuItem } from '../kit/menu.js'
import styles from './log-bar.module.css'
import type { TimeKind } from './log-row.js'
import type { Section } from './section-heading.js'
import { TIME_KINDS } from './time-kinds.js'
import type { LogSearch } from './use-log-search.js'

interface LogBarProps {
  field: RefObject<HTMLInputElement | null>
  search: LogSearch
  /** Number of the last line. */
  lastLine: number
  onNextError: () => void
  times: TimeKind
  onTimes: () => void
  wraps: boolean
  onWrap: () => void
  sections: readonly Section[]
  onSection: (firstLine: number) => void
  allClosed: boolean
  onFoldAll: () => void
  follows: boolean
  onFollow: () => void
  isFull: boolean
  onFull: () => void
  menu: ComponentChildren
}

/** The search of a log, and how it is shown. */
export function LogBar(props: LogBarProps) {
  const { search, sections, allClosed, times, wraps, follows, isFull } = props
  const timesLabel = TIME_KINDS.find(([kind]) => kind === times)?.[1] ?? ''
  return (
    <div class={styles['bar']}>
      <SearchField field={props.field} search={search} lastLine={props.lastLine} />
      <IconButton
        icon={ChevronUp}
        label="Previous match (N)"
        onClick={() => search.move(-1)}
        disabled={search.hits.length === 0}
      />
      <IconButton
        icon={ChevronDown}
        label="Next match (n)"
        onClick={() => search.move(1)}
        disabled={search.hits.length === 0}
      />
      <Button kind="ghost" icon={CircleAlert} onClick={props.onNextError}>
        Next error
      </Button>
      <span class={styles['space']} />
      <IconButton
        icon={Clock}
        label={`${timesLabel} (t)`}
        aria-pressed={times !== 'off'}
        onClick={props.onTimes}
      />
      <IconButton icon={TextWrap} label="Wrap long lines (w)" aria-pressed={wraps} onClick={props.onWrap} />
      {sections.length > 0 && (
        <>
          <Menu kind="ghost" icon={ListTree} name="Sections">
            {sections.map(({ first_line: line, title, depth }) => (
              <MenuItem key={line} onSelect={() => props.onSection(line)}>
                {'\u2003'.repeat(depth)}
                {title}
              </MenuItem>
            ))}
          </Menu>
          <IconButton
            icon={ChevronsDownUp}
            label={allClosed ? 'Unfold all sections (Z)' : 'Fold all sections (Z)'}
            onClick={props.onFoldAll}
          />
        </>
      )}
      <IconButton
        icon={ArrowDownToLine}
        label="Follow the end (f)"
        aria-pressed={follows}
        onClick={props.onFollow}
      />
      {props.menu}
      <IconButton
        icon={isFull ? X : Maximize2}
        label={isFull ? 'Leave the full window' : 'Full window'}
        onClick={props.onFull}
      />
    </div>
  )
}

function SearchField({ field, search, lastLine }: Pick<LogBarProps, 'field' | 'search' | 'lastLine'>) {
  return (
    <label class={classNames(box['box'], styles['search'])} data-filter="">
      <Icon icon={Search} size={15} />
      <span class="visually-hidden">Search the log</span>
      <input
        ref={field}
        type="search"
        placeholder="Search the log"
        value={search.text}
        spellcheck={false}
        onFocus={() => search.prepare(lastLine)}
        onInput={({ currentTarget }) => search.setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search.move(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') search.setText('')
        }}
      />
      {search.text !== '' && (
        <span class={styles['hits']} role="status">
          {search.isSearching && search.hits.length === 0
            ? '…'
            : search.hits.length === 0
              ? 'no match'
              : `${search.current + 1} of ${formatCount(search.hits.length, search.isSearching || search.hasMore)}`}
        </span>
      )}
    </label>
  )
}
