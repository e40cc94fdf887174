import { useState } from 'preact/hooks'

import { useTitle } from '../../../frame/document-title.js'
import { changePreferences, readPreferences } from '../../../frame/preferences.js'
import { CheckBox, Select } from '../../../kit/field.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import styles from './page.module.css'

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** What the user has chosen in this browser. */
export function Page() {
  useTitle('Preferences')
  const [{ theme, usesKeys }, setShown] = useState(readPreferences)
  const change = (changes: Parameters<typeof changePreferences>[0]) => {
    changePreferences(changes)
    setShown(readPreferences())
  }
  return (
    <>
      <PageHeader title="Preferences" details="They hold for this browser, and are saved at once." />
      <Panel>
        <div class={styles['form']}>
          <Select
            label="Theme"
            value={theme}
            onInput={(chosen) => change({ theme: chosen as typeof theme })}
            choices={THEMES}
          />
          <CheckBox
            label="Keyboard shortcuts"
            help={
              <>
                Press <kbd>?</kbd> on any page to see them.
              </>
            }
            checked={usesKeys}
            onInput={(checked) => change({ usesKeys: checked })}
          />
        </div>
      </Panel>
    </>
  )
}
