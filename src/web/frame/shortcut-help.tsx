import { useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { Dialog } from '../kit/dialog.js'
import { useKeys } from '../kit/keys.js'
import { navigate } from './location.js'
import styles from './shortcut-help.module.css'
import type { Section } from './side.js'

const GROUPS = [
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl K', 'Go to a page, project or pipeline'],
      ['?', 'Show this help'],
      ['/', 'Filter or search in the page'],
      ['g h', 'Home'],
      ['g p', 'Pipelines of the project'],
      ['g j', 'Jobs of the project'],
      ['g c', 'Files of the project'],
      ['g s', 'Settings of the project'],
    ],
  },
  {
    title: 'Lists and pipelines',
    keys: [
      ['j  k', 'Next and previous entry'],
      ['Enter', 'Open the entry'],
      ['o', 'Open the entry in a new tab'],
      ['r', 'Retry'],
      ['c', 'Cancel'],
      ['[  ]', 'Previous and next job, commit or file'],
      ['Space', 'Focus on a job of the graph'],
      ['+  −  0', 'Zoom the graph or the waterfall, fit it'],
      ['Esc', 'Close the log beside the jobs'],
    ],
  },
  {
    title: 'Files',
    keys: [
      ['t', 'Find a file'],
      ['b', 'Blame'],
      ['e', 'Edit the file'],
      ['y', 'Permanent link'],
      ['w', 'Wrap long lines'],
    ],
  },
  {
    title: 'Job log',
    keys: [
      ['/', 'Search the whole log'],
      ['n  N', 'Next and previous match'],
      ['e', 'Next error'],
      ['f', 'Follow the end of the log'],
      ['t', 'Show times'],
      ['w', 'Wrap long lines'],
      ['z  Z', 'Fold a section, or all'],
    ],
  },
] as const

let open: (() => void) | undefined

export function openShortcutHelp(): void {
  open?.()
}

/** The keys that go to other pages, and the dialog that lists all keys. */
export function ShortcutHelp({ section }: { section: Section | undefined }) {
  const [isOpen, setOpen] = useState(false)
  open = () => setOpen(true)
  const project = section?.kind === 'project' ? section.path : undefined
  const go = (page: 'pipelines/list' | 'jobs/list' | 'code/tree' | 'settings/ci') => () => {
    if (project !== undefined) navigate(addressOf(page, { project, ref_path: '' }))
  }
  useKeys({
    '?': () => setOpen(true),
    'g h': () => navigate('/'),
    'g p': go('pipelines/list'),
    'g j': go('jobs/list'),
    'g c': go('code/tree'),
    'g s': go('settings/ci'),
  })
  if (!isOpen) return null
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => setOpen(false)}>
      <div class={styles['groups']}>
        {GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl class={styles['keys']}>
              {keys.map(([key, text]) => (
                <div key={key}>
                  <dt>
                    {key.split('  ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>
        <a href="/api/docs">Documentation of the API</a>
      </p>
    </Dialog>
  )
}
