import { type Static, Type } from 'typebox'

import { LINK_TYPES } from '../../database/tables/releases.js'
import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { CommitBrief } from '../../http/presenters/present-commit.js'
import { PublicUser } from '../../http/presenters/present-user.js'

export const ReleaseLink = Type.Object({
  id: described(Type.Integer(), 'Number of the link.'),
  name: described(Type.String(), 'What it is called.'),
  url: described(Type.String(), 'Where it leads.'),
  external: described(Type.Boolean(), 'Whether that is another server; always true.'),
  link_type: described(Type.String(), '`other`, `runbook`, `image` or `package`.'),
  direct_asset_url: described(
    Type.String(),
    'Address below the release that leads to the same; `url` itself when there is none.',
  ),
})
export type ReleaseLink = Static<typeof ReleaseLink>

/** API, J. What shows code is left out for those who may not read it. */
export const Release = Type.Object({
  tag_name: described(Type.String(), 'Its tag.'),
  name: described(Type.String(), 'Its name; the tag when none was given.'),
  description: described(NullableText, 'Its notes in Markdown; null = none.'),
  description_html: described(
    Type.Optional(Type.String()),
    'Its notes as HTML, without any markup of their own; absent with `include_html_description=false`.',
  ),
  created_at: described(Type.String(), 'When it was made.'),
  released_at: described(Type.String(), 'When it came or comes out.'),
  upcoming_release: described(Type.Boolean(), 'Whether that is still to come.'),
  historical_release: described(Type.Boolean(), 'Whether it came out before it was made here.'),
  author: described(Nullable(PublicUser), 'Who made it; null when the account is gone.'),
  commit: described(Type.Optional(CommitBrief), 'The commit of its tag; only for those who may read code.'),
  milestones: described(Type.Array(Type.Unknown()), 'Always empty.'),
  commit_path: described(
    Type.Optional(Type.String()),
    "Path of the commit's page; only for those who may read code.",
  ),
  tag_path: described(
    Type.Optional(Type.String()),
    "Path of the tag's page; only for those who may read code.",
  ),
  assets: described(
    Type.Object({
      count: described(Type.Integer(), 'Links, and sources where they are shown.'),
      sources: described(
        Type.Optional(
          Type.Array(
            Type.Object({
              format: described(Type.String(), '`zip`, `tar.gz`, `tar.bz2` or `tar`.'),
              url: described(Type.String(), 'Address of the archive.'),
            }),
          ),
        ),
        'Archives of the repository; only for those who may read code.',
      ),
      links: described(Type.Array(ReleaseLink), 'Its links, the newest first.'),
    }),
    'What belongs to it.',
  ),
  evidences: described(Type.Array(Type.Unknown()), 'Always empty.'),
  _links: described(
    Type.Object({
      self: described(Type.String(), 'Its page.'),
      edit_url: described(Type.String(), 'Page on which it is changed.'),
      opened_issues_url: described(Type.String(), 'Page of its open issues.'),
      closed_issues_url: described(Type.String(), 'Page of its closed issues.'),
      opened_merge_requests_url: described(Type.String(), 'Page of its open merge requests.'),
      merged_merge_requests_url: described(Type.String(), 'Page of its merged merge requests.'),
      closed_merge_requests_url: described(Type.String(), 'Page of its closed merge requests.'),
    }),
    'Addresses about it.',
  ),
})
export type Release = Static<typeof Release>

const withHtml = {
  include_html_description: described(
    Type.Optional(Type.Boolean()),
    'Whether to show the notes as HTML too, in `description_html`; default true.',
  ),
}

export const ReleaseFilters = Type.Object({
  ...withHtml,
  order_by: described(
    Type.Optional(OneOf('released_at', 'created_at')),
    'What the list is ordered by; `released_at` by default.',
  ),
  sort: described(Type.Optional(SortDirection), '`desc` by default.'),
})
export type ReleaseFilters = Static<typeof ReleaseFilters>

export const TagName = Type.Object({
  tag_name: described(Type.String({ minLength: 1 }), 'Tag of the release.'),
})

export const ShownRelease = Type.Object({ ...TagName.properties, ...withHtml })

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Url = Type.String({ minLength: 1, maxLength: 255 })

const link = {
  url: described(Url, 'Where it leads: http, https or ftp.'),
  filepath: described(
    Type.Optional(Type.String({ maxLength: 128 })),
    'Path below the release that leads to the same, from `/` on.',
  ),
  direct_asset_path: described(
    Type.Optional(Type.String({ maxLength: 128 })),
    'The same under its newer name.',
  ),
  link_type: described(Type.Optional(OneOf(...LINK_TYPES)), 'What it is; `other` by default.'),
}

export const LinkFields = Type.Object({ name: described(Name, 'What it is called.'), ...link })
export type LinkFields = Static<typeof LinkFields>

export const NewRelease = Type.Object({
  tag_name: described(
    Type.String({ minLength: 1, maxLength: 255 }),
    'The tag; made from `ref` if there is none.',
  ),
  name: described(Type.Optional(Type.String({ maxLength: 255 })), 'Its name; the tag by default.'),
  description: described(Type.Optional(Type.String({ maxLength: 1_000_000 })), 'Its notes in Markdown.'),
  tag_message: described(
    Type.Optional(Type.String({ maxLength: 1_000_000 })),
    'Makes a new tag an annotated one with this message.',
  ),
  ref: described(
    Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    'Branch, tag or commit that a new tag is made from.',
  ),
  milestones: described(
    Type.Optional(Type.Array(Type.String())),
    'Titles of milestones; there are none yet, so that each is an error.',
  ),
  milestone_ids: described(
    Type.Optional(Type.Array(Type.Integer())),
    'Numbers of milestones; there are none yet, so that each is an error.',
  ),
  released_at: described(Type.Optional(DateTime()), 'When it came or comes out; now by default.'),
  assets: described(
    Type.Optional(Type.Object({ links: described(Type.Optional(Type.Array(LinkFields)), 'Its links.') })),
    'What belongs to it.',
  ),
})
export type NewRelease = Static<typeof NewRelease>

export const EditRelease = Type.Object({
  ...TagName.properties,
  name: described(Type.Optional(Type.String({ maxLength: 255 })), 'Its name; the tag by default.'),
  description: described(Type.Optional(Type.String({ maxLength: 1_000_000 })), 'Its notes in Markdown.'),
  milestones: described(
    Type.Optional(Type.Array(Type.String())),
    'Titles of milestones; there are none yet, so that each is an error.',
  ),
  milestone_ids: described(
    Type.Optional(Type.Array(Type.Integer())),
    'Numbers of milestones; there are none yet, so that each is an error.',
  ),
  released_at: described(Type.Optional(DateTime()), 'When it came or comes out; absent = as before.'),
})
export type EditRelease = Static<typeof EditRelease>

export const NewLink = Type.Object({ ...TagName.properties, ...LinkFields.properties })
export const LinkId = Type.Object({
  ...TagName.properties,
  link_id: described(Type.Integer(), 'Number of the link.'),
})
export const EditLink = Type.Object({
  ...LinkId.properties,
  ...link,
  name: described(Type.Optional(Name), 'What it is called; absent = as before.'),
  url: described(Type.Optional(Url), 'Where it leads; absent = as before.'),
})
export type EditLink = Static<typeof EditLink>
