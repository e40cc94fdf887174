/** Cities that are called as their zones are, but for the region before them. */
const CITIES: Record<string, string> = {
  Africa: 'Cairo, Casablanca, Harare, Monrovia, Nairobi',
  America:
    'Bogota, Caracas, Chihuahua, La Paz, Lima, Mazatlan, Mexico City, Monterrey, Montevideo, Santiago, Tijuana',
  Asia:
    'Almaty, Baghdad, Baku, Bangkok, Chongqing, Dhaka, Hong Kong, Irkutsk, Jakarta, Jerusalem, Kabul, Kamchatka, ' +
    'Karachi, Kathmandu, Kolkata, Krasnoyarsk, Kuala Lumpur, Kuwait, Magadan, Muscat, Novosibirsk, Rangoon, Riyadh, ' +
    'Seoul, Singapore, Srednekolymsk, Taipei, Tashkent, Tbilisi, Tehran, Tokyo, Ulaanbaatar, Urumqi, Vladivostok, ' +
    'Yakutsk, Yerevan',
  Australia: 'Adelaide, Brisbane, Canberra, Darwin, Hobart, Melbourne, Perth, Sydney',
  Europe:
    'Amsterdam, Athens, Belgrade, Berlin, Bratislava, Brussels, Bucharest, Budapest, Copenhagen, Dublin, Helsinki, ' +
    'Istanbul, Kaliningrad, Lisbon, Ljubljana, London, Madrid, Minsk, Moscow, Paris, Prague, Riga, Rome, Samara, ' +
    'Sarajevo, Skopje, Sofia, Stockholm, Tallinn, Vienna, Vilnius, Volgograd, Warsaw, Zagreb, Zurich',
  Pacific: 'Auckland, Fiji, Guam, Port Moresby',
}

const OTHERS: Record<string, string> = {
  'Abu Dhabi': 'Asia/Muscat',
  Alaska: 'America/Juneau',
  'American Samoa': 'Pacific/Pago_Pago',
  Arizona: 'America/Phoenix',
  Astana: 'Asia/Almaty',
  'Atlantic Time (Canada)': 'America/Halifax',
  Azores: 'Atlantic/Azores',
  Beijing: 'Asia/Shanghai',
  Bern: 'Europe/Zurich',
  Brasilia: 'America/Sao_Paulo',
  'Buenos Aires': 'America/Argentina/Buenos_Aires',
  'Cape Verde Is.': 'Atlantic/Cape_Verde',
  'Central America': 'America/Guatemala',
  'Central Time (US & Canada)': 'America/Chicago',
  'Chatham Is.': 'Pacific/Chatham',
  Chennai: 'Asia/Kolkata',
  'Eastern Time (US & Canada)': 'America/New_York',
  Edinburgh: 'Europe/London',
  Ekaterinburg: 'Asia/Yekaterinburg',
  Georgetown: 'America/Guyana',
  Greenland: 'America/Godthab',
  Guadalajara: 'America/Mexico_City',
  Hanoi: 'Asia/Bangkok',
  Hawaii: 'Pacific/Honolulu',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  'International Date Line West': 'Etc/GMT+12',
  Islamabad: 'Asia/Karachi',
  Kyiv: 'Europe/Kiev',
  'Marshall Is.': 'Pacific/Majuro',
  'Mid-Atlantic': 'Atlantic/South_Georgia',
  'Midway Island': 'Pacific/Midway',
  'Mountain Time (US & Canada)': 'America/Denver',
  Mumbai: 'Asia/Kolkata',
  'New Caledonia': 'Pacific/Noumea',
  'New Delhi': 'Asia/Kolkata',
  Newfoundland: 'America/St_Johns',
  "Nuku'alofa": 'Pacific/Tongatapu',
  Osaka: 'Asia/Tokyo',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  Pretoria: 'Africa/Johannesburg',
  'Puerto Rico': 'America/Puerto_Rico',
  Quito: 'America/Lima',
  Samoa: 'Pacific/Apia',
  Sapporo: 'Asia/Tokyo',
  Saskatchewan: 'America/Regina',
  'Solomon Is.': 'Pacific/Guadalcanal',
  'Sri Jayawardenepura': 'Asia/Colombo',
  'St. Petersburg': 'Europe/Moscow',
  'Tokelau Is.': 'Pacific/Fakaofo',
  Wellington: 'Pacific/Auckland',
  'West Central Africa': 'Africa/Algiers',
}

/** IANA names by the names that pages of the reference service show. */
export const NAMED_ZONES: ReadonlyMap<string, string> = new Map([...cityZones(), ...Object.entries(OTHERS)])

/**
 * The IANA name of a time zone. Scripts written for the reference service also use the names on its pages,
 * such as `Berlin` and `Pacific Time (US & Canada)`. Returns any other text unchanged.
 */
export function zoneOf(name: string): string {
  return NAMED_ZONES.get(name) ?? name
}

function cityZones(): [name: string, zone: string][] {
  return Object.entries(CITIES).flatMap(([region, cities]) =>
    cities.split(', ').map((city): [string, string] => [city, `${region}/${city.replaceAll(' ', '_')}`]),
  )
}
