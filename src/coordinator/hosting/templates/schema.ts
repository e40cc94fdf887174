import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { NullableText, OneOf } from '../../http/parameters/types.js'
import { TEMPLATE_KINDS } from './templates.js'

export const TemplateName = Type.Object({
  key: described(Type.String(), 'Key of the template.'),
  name: described(Type.String(), 'Name of the template.'),
})

export const Template = Type.Object({
  name: described(Type.String(), 'Name of the template.'),
  content: described(Type.String(), 'Content of the template.'),
})

export const LicenseTemplate = Type.Object({
  key: described(Type.String(), 'Key of the license, such as `mit`.'),
  name: described(Type.String(), 'Name of the license.'),
  nickname: described(NullableText, 'Short name of the license; null if there is none.'),
  popular: described(Type.Boolean(), 'Whether many projects have this license.'),
  featured: described(Type.Boolean(), 'The same as `popular`.'),
  description: described(NullableText, 'What kind of license it is; null if that is not known.'),
  permissions: described(Type.Array(Type.String()), 'What it allows, such as `commercial-use`.'),
  conditions: described(Type.Array(Type.String()), 'What it requires, such as `include-copyright`.'),
  limitations: described(Type.Array(Type.String()), 'What it excludes, such as `liability`.'),
  html_url: described(NullableText, 'URL of a page about the license; null if there is none.'),
  source_url: described(NullableText, 'URL of the original text; null if there is none.'),
  content: described(Type.String(), 'Text of the license.'),
})
export type LicenseTemplate = Static<typeof LicenseTemplate>

const { name: _name, content: _content, ...ofLicense } = LicenseTemplate.properties

/** A template, with the further fields of a license if it is one. */
export const ProjectTemplate = Type.Object({
  ...Template.properties,
  ...Type.Partial(Type.Object(ofLicense)).properties,
})

const Key = described(Type.String({ minLength: 1, maxLength: 255 }), 'Key of the template.')

const Filling = {
  project: described(
    Type.Optional(Type.String({ maxLength: 255 })),
    'Name of the project, for the placeholders of a license.',
  ),
  fullname: described(
    Type.Optional(Type.String({ maxLength: 255 })),
    'Name of the copyright holder, for the placeholders of a license; the year is filled in with it.',
  ),
}

export const TemplateKey = Type.Object({ key: Key })
export const LicenseKey = Type.Object({ key: Key, ...Filling })

export const LicenseFilters = Type.Object({
  popular: described(
    Type.Optional(Type.Boolean()),
    'true: only licenses that many projects have; false: only the others.',
  ),
})

const TemplateType = described(
  OneOf(...TEMPLATE_KINDS, 'issues', 'merge_requests'),
  'Type of the templates; those of `issues` and `merge_requests` are files of the repository.',
)

export const TemplatesOfProject = Type.Object({ type: TemplateType })

export const TemplateOfProject = Type.Object({
  type: TemplateType,
  name: described(
    Type.String({ minLength: 1, maxLength: 255 }),
    'Key of the template, or name of its file without `.md`.',
  ),
  ...Filling,
})
