import uPlot = require("./uPlot");
export = uPlot;
