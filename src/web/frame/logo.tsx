/** Two tracks that meet at a switch. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#3c5bd6" />
      <path
        d="M7 22h5c5 0 5-12 10-12h3M7 10h5c1.600 0 2.700 1.200 3.600 2.800M17.400 18.200c1.100 2.200 2.500 3.800 4.600 3.800h3"
        fill="none"
        stroke="#fff"
        stroke-width="2.600"
        stroke-linecap="round"
      />
      <circle cx="25.500" cy="10" r="2" fill="#7ee2a8" />
    </svg>
  )
}
