/** Every world the painter knows, by its name. */
import { paintAbstract } from "./abstract.ts";
import { paintAnimal } from "./animal.ts";
import { paintBookshop } from "./bookshop.ts";
import { paintBotanical } from "./botanical.ts";
import type { Canvas } from "./canvas.ts";
import { paintCity } from "./city.ts";
import { paintCraft } from "./craft.ts";
import { paintDesk } from "./desk.ts";
import { paintDrinks } from "./drinks.ts";
import { paintEvent } from "./event.ts";
import { paintHome } from "./home.ts";
import { paintHorizon } from "./horizon.ts";
import type { SceneName } from "./names.ts";
import { paintNotice } from "./notice.ts";
import { paintPeople } from "./people.ts";
import { paintProduct } from "./product.ts";
import { paintSale } from "./sale.ts";
import { paintSport } from "./sport.ts";
import { paintStillLife } from "./still_life.ts";
import { paintStreet } from "./street.ts";
import { paintTabletop } from "./tabletop.ts";
import { paintTeam } from "./team.ts";
import type { Tones } from "./tones.ts";
import { paintVehicle } from "./vehicle.ts";
import type { Brief } from "./words.ts";

export const PAINTS: Record<
  SceneName,
  (canvas: Canvas, brief: Brief, tones: Tones) => Promise<void>
> = {
  horizon: paintHorizon,
  city: paintCity,
  stillLife: paintStillLife,
  botanical: paintBotanical,
  tabletop: paintTabletop,
  abstract: paintAbstract,
  people: paintPeople,
  team: paintTeam,
  product: paintProduct,
  bookshop: paintBookshop,
  street: paintStreet,
  vehicle: paintVehicle,
  animal: paintAnimal,
  sale: paintSale,
  event: paintEvent,
  sport: paintSport,
  desk: paintDesk,
  home: paintHome,
  drinks: paintDrinks,
  notice: paintNotice,
  craft: paintCraft,
};
