/* The page of a run. */

import "./elements/frame-stepper.js";
import "./elements/area-drawer.js";
