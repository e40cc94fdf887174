import { Menu as MenuIcon } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import type { PageMatch } from '../../addresses/page-table.js'
import { IconButton } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import { Offline } from '../kit/offline.js'
import { Bar } from './bar.js'
import { Broadcasts } from './broadcasts.js'
import { Confirmation } from './confirmation.js'
import { Connection, useOffline } from './connection.js'
import styles from './frame.module.css'
import { Notices } from './notices.js'
import { Palette } from './palette.js'
import { ShortcutHelp } from './shortcut-help.js'
import { type Section, Side } from './side.js'
import { SignedOut } from './signed-out.js'

interface FrameProps {
  page: PageMatch | undefined
  section: Section | undefined
  children: ComponentChildren
}

/** What is around every page: bar, side navigation, notices, palette and help. */
export function Frame({ page, section, children }: FrameProps) {
  const side = useRef<HTMLElement>(null)
  const key = page ? JSON.stringify(page) : ''
  useEffect(() => {
    if (side.current?.matches(':popover-open')) side.current.hidePopover()
  }, [key])
  return (
    <>
      <a class={styles['skip']} href="#main">
        Skip to the content
      </a>
      <Broadcasts section={section} />
      <Bar
        section={section}
        drawer={
          section && (
            <IconButton
              class={styles['drawerButton']}
              icon={MenuIcon}
              label="Navigation"
              popovertarget="side"
            />
          )
        }
      />
      <div class={classNames(styles['columns'], section && styles['withSide'])}>
        {section && page && (
          <>
            <aside class={styles['side']}>
              <Side section={section} page={page} />
            </aside>
            <aside id="side" popover="auto" ref={side} class={styles['drawer']} aria-label="Navigation">
              <Side section={section} page={page} />
            </aside>
          </>
        )}
        <main id="main" class={styles['main']} tabIndex={-1}>
          <Offline.Provider value={useOffline()}>{children}</Offline.Provider>
        </main>
      </div>
      <Connection />
      <Notices />
      <Confirmation />
      <SignedOut />
      <Palette section={section} />
      <ShortcutHelp section={section} />
    </>
  )
}
