// Its own chunk: only pages with charts fetch it.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export default uPlot;
