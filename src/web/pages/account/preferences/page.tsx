import { useState } from 'preact/hooks'

import { useTitle } from '../../../frame/document-title.js'
import { changePreferences, readPreferences } from '../../../frame/preferences.js'
import { CheckBox, Select } from '../../../kit/field.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { TIME_KINDS } from '../../../log/time-kinds.js'
import styles from '../form.module.css'

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const TIMES = [
  { value: 'relative', label: 'Relative, such as “3 m ago”' },
  { value: 'full', label: 'Date and time' },
]

const FAILED_PIPELINE_TABS = [
  { value: 'failures', label: 'Failures' },
  { value: 'graph', label: 'Graph' },
]

const DENSITIES = [
  { value: 'normal', label: 'Normal' },
  { value: 'compact', label: 'Compact' },
]

/** What the user has chosen in this browser. */
export function Page() {
  useTitle('Preferences')
  const [shown, setShown] = useState(readPreferences)
  const change = (changes: Partial<typeof shown>) => {
    changePreferences(changes)
    setShown(readPreferences())
  }
  return (
    <>
      <PageHeader title="Preferences" details="They hold for this browser, and are saved at once." />
      <Panels>
        <Panel title="Appearance">
          <div class={styles['form']}>
            <Select
              label="Theme"
              value={shown.theme}
              onInput={(theme) => change({ theme: theme as typeof shown.theme })}
              choices={THEMES}
            />
            <Select
              label="Times"
              value={shown.times}
              onInput={(times) => change({ times: times as typeof shown.times })}
              choices={TIMES}
            />
            <Select
              label="Density of tables"
              value={shown.density}
              onInput={(density) => change({ density: density as typeof shown.density })}
              choices={DENSITIES}
            />
            <CheckBox
              label="Keyboard shortcuts"
              help={
                <>
                  Press <kbd>?</kbd> on any page to see them.
                </>
              }
              checked={shown.usesKeys}
              onInput={(usesKeys) => change({ usesKeys })}
            />
          </div>
        </Panel>
        <Panel title="Pipelines">
          <div class={styles['form']}>
            <Select
              label="A failed pipeline opens with"
              help="The tab that you open on one is remembered."
              value={shown.failedPipelineTab}
              onInput={(tab) => change({ failedPipelineTab: tab as typeof shown.failedPipelineTab })}
              choices={FAILED_PIPELINE_TABS}
            />
          </div>
        </Panel>
        <Panel title="Job logs">
          <div class={styles['form']}>
            <Select
              label="Times before lines"
              value={shown.logTimes}
              onInput={(kind) => change({ logTimes: kind as typeof shown.logTimes })}
              choices={TIME_KINDS.map(([value, label]) => ({ value, label }))}
            />
            <CheckBox
              label="Wrap long lines"
              checked={shown.wrapsLogs}
              onInput={(wrapsLogs) => change({ wrapsLogs })}
            />
            <CheckBox
              label="Fold passed sections of failed jobs"
              checked={shown.foldsPassedSections}
              onInput={(foldsPassedSections) => change({ foldsPassedSections })}
            />
          </div>
        </Panel>
        <Panel title="Files and changes">
          <div class={styles['form']}>
            <CheckBox
              label="Wrap long lines of files"
              checked={shown.wrapsCode}
              onInput={(wrapsCode) => change({ wrapsCode })}
            />
            <CheckBox
              label="Hide changes of white space"
              checked={shown.hidesWhitespace}
              onInput={(hidesWhitespace) => change({ hidesWhitespace })}
            />
          </div>
        </Panel>
      </Panels>
    </>
  )
}
