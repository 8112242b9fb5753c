import { type Car, GREYWATER_PARK, LAPWING_GT, type Road } from '@lapwing/simulator'
import { FORMULA_FORD, ROADSTER } from './cars.ts'
import { LIME_ROCK_GRAND_PRIX, SUMMIT_POINT_JEFFERSON } from './roads.ts'

/** A board to fill. Track and car have the names that a telemetry file uses. */
export interface DemoBoard {
  readonly road: Road
  readonly car: Car
  readonly drivers: number
  readonly trackId: number
  readonly trackName: string
  readonly trackDisplayName: string
  readonly trackConfigName: string
  readonly carId: number
  readonly carPath: string
  readonly carScreenName: string
  /** Whether the circuit does not exist on Earth, so that its simulated coordinates are the true ones. */
  readonly isFictional: boolean
}

const greywater = {
  road: GREYWATER_PARK,
  // No real track of the simulator has an id as large.
  trackId: 2_000_000_001,
  trackName: 'greywater grandprix',
  trackDisplayName: 'Greywater Park',
  trackConfigName: 'Grand Prix',
  isFictional: true,
}
const summitPoint = {
  road: SUMMIT_POINT_JEFFERSON,
  trackId: 9,
  trackName: 'summit jefferson',
  trackDisplayName: 'Summit Point Raceway',
  trackConfigName: 'Jefferson',
  isFictional: false,
}
const limeRock = {
  road: LIME_ROCK_GRAND_PRIX,
  trackId: 352,
  trackName: 'limerock gp',
  trackDisplayName: 'Lime Rock Park',
  trackConfigName: 'Grand Prix',
  isFictional: false,
}
const rayFf1600 = { car: FORMULA_FORD, carId: 155, carPath: 'rayff1600', carScreenName: 'Ray FF1600' }
const mx5 = { car: ROADSTER, carId: 67, carPath: 'mx5 mx52016', carScreenName: 'Mazda MX-5 Cup' }

/**
 * The boards that `make demo` fills. The board of the page's sample session comes first: a driver without a
 * file sees a rank for the sample lap. The other tracks and cars are what many drivers start with.
 */
export const demoBoards: readonly DemoBoard[] = [
  {
    ...greywater,
    car: LAPWING_GT,
    carId: 2_000_000_001,
    carPath: 'lapwing gt',
    carScreenName: 'Lapwing GT',
    drivers: 90,
  },
  {
    ...greywater,
    car: ROADSTER,
    carId: 2_000_000_002,
    carPath: 'lapwing roadster',
    carScreenName: 'Lapwing Roadster',
    drivers: 24,
  },
  { ...summitPoint, ...rayFf1600, drivers: 70 },
  { ...limeRock, ...rayFf1600, drivers: 45 },
  { ...limeRock, ...mx5, drivers: 30 },
]
