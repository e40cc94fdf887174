interface KnownLicense {
  key: string
  name: string
  nickname: string | null
  /** URL of the text; null if there is no canonical one. */
  source: string | null
  /** Text that occurs in this license and in no earlier one of the list, with single spaces. */
  sign: RegExp
}

/** Specific licenses first, because some texts mention other licenses. */
const LICENSES: KnownLicense[] = [
  license(
    'agpl-3.0',
    'GNU Affero General Public License v3.0',
    'GNU AGPLv3',
    /gnu affero general public license version 3/,
    'https://www.gnu.org/licenses/agpl-3.0.txt',
  ),
  license(
    'lgpl-3.0',
    'GNU Lesser General Public License v3.0',
    'GNU LGPLv3',
    /gnu lesser general public license version 3/,
    'https://www.gnu.org/licenses/lgpl-3.0.txt',
  ),
  license(
    'lgpl-2.1',
    'GNU Lesser General Public License v2.1',
    'GNU LGPLv2.1',
    /gnu lesser general public license version 2\.1/,
    'https://www.gnu.org/licenses/old-licenses/lgpl-2.1.txt',
  ),
  license(
    'gpl-3.0',
    'GNU General Public License v3.0',
    'GNU GPLv3',
    /gnu general public license version 3/,
    'https://www.gnu.org/licenses/gpl-3.0.txt',
  ),
  license(
    'gpl-2.0',
    'GNU General Public License v2.0',
    'GNU GPLv2',
    /gnu general public license version 2/,
    'https://www.gnu.org/licenses/old-licenses/gpl-2.0.txt',
  ),
  license(
    'apache-2.0',
    'Apache License 2.0',
    null,
    /apache license,? version 2\.0/,
    'https://www.apache.org/licenses/LICENSE-2.0.txt',
  ),
  license(
    'mpl-2.0',
    'Mozilla Public License 2.0',
    null,
    /mozilla public license,? version 2\.0/,
    'https://www.mozilla.org/media/MPL/2.0/index.txt',
  ),
  license(
    'epl-2.0',
    'Eclipse Public License 2.0',
    null,
    /eclipse public license - v 2\.0/,
    'https://www.eclipse.org/legal/epl-2.0/',
  ),
  license(
    'bsl-1.0',
    'Boost Software License 1.0',
    null,
    /boost software license - version 1\.0/,
    'https://www.boost.org/LICENSE_1_0.txt',
  ),
  license(
    'cc0-1.0',
    'Creative Commons Zero v1.0 Universal',
    null,
    /cc0 1\.0 universal/,
    'https://creativecommons.org/publicdomain/zero/1.0/legalcode.txt',
  ),
  license(
    'unlicense',
    'The Unlicense',
    null,
    /free and unencumbered software released into the public domain/,
    'https://unlicense.org/UNLICENSE',
  ),
  license(
    'isc',
    'ISC License',
    null,
    /permission to use, copy, modify, and\/or distribute this software/,
    null,
  ),
  license(
    'mit',
    'MIT License',
    null,
    /permission is hereby granted, free of charge, to any person obtaining a copy/,
    null,
  ),
  license(
    'bsd-3-clause',
    'BSD 3-Clause "New" or "Revised" License',
    null,
    /neither the name of .* may be used to endorse/,
    null,
  ),
  license(
    'bsd-2-clause',
    'BSD 2-Clause "Simplified" License',
    null,
    /redistributions in binary form must reproduce/,
    null,
  ),
]

function license(
  key: string,
  name: string,
  nickname: string | null,
  sign: RegExp,
  source: string | null,
): KnownLicense {
  return { key, name, nickname, sign, source }
}

/** Maximum number of bytes of a license file that are read. */
const LICENSE_BYTES = 64 * 1024

/** Key of the license in a file; undefined for an unknown license. */
export function licenseKeyOf(text: string): string | undefined {
  const plain = text.slice(0, LICENSE_BYTES).toLowerCase().replace(/\s+/g, ' ')
  return LICENSES.find(({ sign }) => sign.test(plain))?.key
}

/** Public record of a license; an unknown license has a record of its own. */
export function licenseOf(key: string | null) {
  const known = LICENSES.find((one) => one.key === key)
  if (!known)
    return {
      key: 'other',
      name: 'Other',
      nickname: null,
      html_url: 'https://choosealicense.com/',
      source_url: null,
    }
  const { name, nickname, source } = known
  return {
    key: known.key,
    name,
    nickname,
    html_url: `https://choosealicense.com/licenses/${known.key}/`,
    source_url: source,
  }
}
