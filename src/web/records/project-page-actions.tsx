import { Compass, Plus } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import { LinkButton } from '../kit/button.js'

/** Links to all projects and to the form of a new one, for pages with the projects of the user. */
export function ProjectPageActions() {
  return (
    <>
      <LinkButton icon={Compass} href={addressOf('projects/explore', {})}>
        Explore projects
      </LinkButton>
      <LinkButton kind="primary" icon={Plus} href={addressOf('projects/new', {})}>
        New project
      </LinkButton>
    </>
  )
}
