import { Dialog } from '../kit/dialog.js'
import styles from './shortcut-list.module.css'

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
      ['d', 'Mark the to-do as done'],
      ['r', 'Retry'],
      ['c', 'Cancel'],
      ['[  ]', 'Previous and next job, commit or file'],
      ['Space', 'Focus on a job of the graph'],
      ['+  −  0', 'Zoom the graph or the waterfall, fit it'],
      ['Esc', 'Close the log beside the jobs'],
    ],
  },
  {
    title: 'Boards',
    keys: [
      ['Space', 'Pick up the issue in focus'],
      ['← ↑ ↓ →', 'Move it'],
      ['Enter', 'Drop it'],
      ['Esc', 'Put it back'],
    ],
  },
  {
    title: 'Changes',
    keys: [
      ['j  k', 'Next and previous file'],
      ['n  p', 'Next and previous thread that is not resolved'],
      ['v', 'Mark the file as viewed'],
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

/** The dialog that lists all keys. */
export function ShortcutList({ close }: { close: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
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
