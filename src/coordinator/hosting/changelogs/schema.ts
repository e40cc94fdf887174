import { type Static, Type } from 'typebox'

import { described, text } from '../../http/parameters/described.js'
import { DateTime } from '../../http/parameters/types.js'
import { VERSION } from './semantic-version.js'

const range = {
  version: Type.String({
    pattern: VERSION,
    maxLength: 255,
    description: 'Version of the section, in the form of semver.org, with or without v',
  }),
  from: Type.Optional(
    text('Commit before the first one, which is left out; default the tag of the release before the version'),
  ),
  date: Type.Optional(described(DateTime(), 'Date of the release; default now')),
  trailer: Type.Optional(text('Trailer that brings a commit into the changelog; default Changelog')),
  config_file: Type.Optional(
    text('Path of the configuration, in the default branch; default .gitlab/changelog_config.yml'),
  ),
}

export const GetChangelog = Type.Object({
  ...range,
  to: Type.Optional(text('Last commit; default the head of the default branch')),
  config_file_ref: Type.Optional(
    text('Branch, tag or commit with the configuration; default the default branch'),
  ),
})
export type GetChangelog = Static<typeof GetChangelog>

export const AddChangelog = Type.Object({
  ...range,
  to: Type.Optional(text('Last commit; default the head of the branch')),
  branch: Type.Optional(text('Branch to commit to; default the default branch')),
  file: Type.Optional(text('File to add the section to; default CHANGELOG.md')),
  message: Type.Optional(
    Type.String({
      maxLength: 1_000_000,
      description: 'Message of the commit; default Add changelog for version <version>',
    }),
  ),
})
export type AddChangelog = Static<typeof AddChangelog>

export const Changelog = Type.Object({ notes: text('The section, in Markdown') })
