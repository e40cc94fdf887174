import { addressOf } from '../../../addresses/address-of.js'
import { Tabs } from '../../kit/tabs.js'

/** Leads between what can be explored. */
export function ExploreTabs({ current }: { current: 'projects' | 'groups' | 'topics' }) {
  return (
    <Tabs
      label="Explore"
      tabs={[
        { label: 'Projects', href: addressOf('projects/explore', {}), isCurrent: current === 'projects' },
        { label: 'Groups', href: addressOf('projects/explore-groups', {}), isCurrent: current === 'groups' },
        { label: 'Topics', href: addressOf('projects/topics', {}), isCurrent: current === 'topics' },
      ]}
    />
  )
}
