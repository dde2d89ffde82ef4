/* The gate's pages. */

import "./elements/budget-slider.js";
