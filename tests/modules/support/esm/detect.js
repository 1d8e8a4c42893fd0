export default typeof require + " " + typeof this;
