import { Check, Copy, Download, Ear, ScrollText, Settings2 } from 'lucide'

import { useAction } from '../api/use-action.js'
import { notify, notifyError } from '../frame/notices.js'
import type { Preferences } from '../frame/preferences.js'
import type { LineRange } from '../kit/line-range.js'
import { Menu, MenuItem, MenuLine } from '../kit/menu.js'
import { readFound, readRawLines, saveAddress, saveFile } from './log-text.js'
import type { Section } from './section-heading.js'
import { TIME_KINDS } from './time-kinds.js'
import { useCopyLines } from './use-copy-lines.js'

const SIZES = [11, 12, 13, 14, 16, 18]

interface LogMenuProps {
  /** The log in the API. */
  path: string
  jobId: number
  lines: number
  rawAddress: string
  preferences: Preferences
  change: (changes: Partial<Preferences>) => void
  selection: LineRange | undefined
  /** The section that is being read. */
  section: () => Section | undefined
  /** What was searched. */
  searched: string
  readsAloud: boolean
  onReadAloud: (readsAloud: boolean) => void
}

/** What a log can do beside reading it: looks that are remembered, copies and downloads. */
export function LogMenu(props: LogMenuProps) {
  const { preferences, change, readsAloud, onReadAloud } = props
  const { logTimes, logTextSize: size, foldsPassedSections } = preferences
  const checked = (isChecked: boolean) => (isChecked ? Check : undefined)
  return (
    <Menu kind="ghost" icon={Settings2} name="Log options">
      {TIME_KINDS.map(([kind, label]) => (
        <MenuItem key={kind} icon={checked(kind === logTimes)} onSelect={() => change({ logTimes: kind })}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem
        reason={size === SIZES.at(-1) ? 'This is the largest size.' : undefined}
        onSelect={() => change({ logTextSize: SIZES.find((other) => other > size) ?? size })}
      >
        Larger text
      </MenuItem>
      <MenuItem
        reason={size === SIZES[0] ? 'This is the smallest size.' : undefined}
        onSelect={() => change({ logTextSize: SIZES.findLast((other) => other < size) ?? size })}
      >
        Smaller text
      </MenuItem>
      <MenuItem
        icon={checked(foldsPassedSections)}
        onSelect={() => change({ foldsPassedSections: !foldsPassedSections })}
      >
        Fold passed sections of failed jobs
      </MenuItem>
      <MenuItem icon={readsAloud ? Check : Ear} onSelect={() => onReadAloud(!readsAloud)}>
        Announce new lines to screen readers
      </MenuItem>
      <MenuLine />
      <Copies {...props} />
      <Downloads {...props} />
    </Menu>
  )
}

function Copies({ path, lines, selection, section }: LogMenuProps) {
  const copy = useCopyLines(path)
  const copyLines = (range: LineRange | undefined) => {
    if (range) copy(range)
    else notify('No section begins before the lines in sight')
  }
  return (
    <>
      {selection && (
        <MenuItem icon={Copy} onSelect={() => copyLines(selection)}>
          {selection.first === selection.last
            ? `Copy line ${selection.first}`
            : `Copy lines ${selection.first} to ${selection.last}`}
        </MenuItem>
      )}
      <MenuItem icon={Copy} onSelect={() => copyLines(rangeOf(section(), lines))}>
        Copy the section in sight
      </MenuItem>
    </>
  )
}

function Downloads({ path, jobId, lines, rawAddress, section, searched }: LogMenuProps) {
  const download = useAction(async (name: string, read: () => Promise<Blob>) => {
    saveFile(await read(), `job-${jobId}${name}.log`)
  }, notifyError)
  const downloadSection = () => {
    const current = section()
    const range = rangeOf(current, lines)
    if (current && range) void download.run(`-${current.name}`, () => readRawLines(path, range, lines))
    else notify('No section begins before the lines in sight')
  }
  return (
    <>
      {searched !== '' && (
        <MenuItem
          icon={Download}
          onSelect={() => void download.run('-found', () => readFound(path, searched))}
        >
          Download what was found
        </MenuItem>
      )}
      <MenuItem icon={Download} onSelect={downloadSection}>
        Download the section in sight
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => saveAddress(rawAddress, `job-${jobId}.log`)}>
        Download the log
      </MenuItem>
      <MenuItem icon={ScrollText} href={rawAddress}>
        Open the raw log
      </MenuItem>
    </>
  )
}

function rangeOf(section: Section | undefined, lines: number): LineRange | undefined {
  return section && { first: section.first_line, last: section.last_line ?? lines }
}
